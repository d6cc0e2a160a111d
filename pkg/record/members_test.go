package record

import "testing"

func TestMembers(t *testing.T) {
	var r Record
	decode := func(s string) *Record {
		t.Helper()
		if !Decode([]byte(s), &r) {
			t.Fatalf("no record: %s", s)
		}
		return &r
	}
	decode(`{"apiBlockIndex":1,"other":2,"api\u0042lockIndex": 3 ,"error":{"headers":{}}}`)
	if got := string(r.Member("apiBlockIndex")); got != "3" {
		t.Errorf("the last one is %s", got)
	}
	if r.Member("other") != nil || len(r.Members) != 3 || !r.Member("error").IsObject() {
		t.Errorf("members %v", r.Members)
	}
	if decode(`{}`); len(r.Members) != 0 {
		t.Error("members stay for the next record")
	}
	if decode(`{"toolUseResult":{"type":"parts","taskId":7,"backgroundTaskId":"b1","agentId":"a1"}}`); !r.Result.Kind.Is("parts") || !r.Result.TaskID.Is("b1") || !r.Result.AgentID.Is("a1") {
		t.Errorf("result %+v", r.Result)
	}
}

func TestIsResumePrompt(t *testing.T) {
	for s, want := range map[string]bool{
		`{"type":"user","isMeta":true,"message":{"content":"Continue from where you left off."}}`:                                           true,
		`{"type":"user","isMeta":true,"message":{"content":" \n Continue from where you left off. And be quick."}}`:                         true,
		`{"type":"user","isMeta":true,"message":{"content":"                                     Continue from where you left off."}}`:      true,
		`{"type":"user","isMeta":true,"message":{"content":"\u0043ontinue from where you left off."}}`:                                      true,
		`{"type":"user","isMeta":true,"message":{"content":[{"type":"text","text":"Continue from where you left off."}]}}`:                  true,
		`{"type":"user","isMeta":true,"message":{"content":[{"type":"image"},{"type":"text","text":"Continue from where you left off."}]}}`: true,
		`{"type":"user","message":{"content":"Continue from where you left off."}}`:                                                         false,
		`{"type":"assistant","isMeta":true,"message":{"content":"Continue from where you left off."}}`:                                      false,
		`{"type":"user","isMeta":true,"message":{"content":"He said: Continue from where you left off."}}`:                                  false,
		`{"type":"user","isMeta":true,"message":{"content":"Cont"}}`:                                                                        false,
		`{"type":"user","isMeta":true}`: false,
	} {
		var r Record
		if !Decode([]byte(s), &r) {
			t.Fatal(s)
		}
		if got := r.IsResumePrompt(); got != want {
			t.Errorf("%v for %s", got, s)
		}
	}
}
