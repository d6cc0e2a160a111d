package main

func (s *session) prompt() {
	text := s.prose(s.size(160, 1.3, 5, 60000))
	if s.plant != "" && s.written > s.bytes/2 {
		text += s.plant
		s.plant = ""
	}
	s.open("user").str(`,"message":{"role":"user","content":`).quote(text).str(`}`).node().
		str(`,"thinkingMetadata":{"level":"high","disabled":false,"triggers":[]},"todos":[],"permissionMode":"default"`).end()
}

// assistant writes a record with one block, as the client does.
func (s *session) assistant(block func()) {
	s.open("assistant").str(`,"slug":"mellow-`).str(pick(s.r, techWords)).str(`","message":{"model":"`).str(pick(s.r, models)).
		str(`","id":"` + s.msg + `","type":"message","role":"assistant","content":[`)
	block()
	s.str(`],"stop_reason":`).str(pick(s.r, []string{`null`, `null`, `null`, `"tool_use"`, `"end_turn"`})).
		str(`,"stop_sequence":null,"usage":{"input_tokens":`).num(s.r.IntN(20)).
		str(`,"cache_creation_input_tokens":`).num(s.r.IntN(9000)).str(`,"cache_read_input_tokens":`).num(s.r.IntN(180000)).
		str(`,"cache_creation":{"ephemeral_5m_input_tokens":`).num(s.r.IntN(9000)).
		str(`,"ephemeral_1h_input_tokens":0},"output_tokens":`).num(s.r.IntN(4000)).
		str(`,"service_tier":"standard","inference_geo":"not_available"}},"requestId":"`).str(s.wireID("req_011", 21)).str(`"`).node().end()
}

func (s *session) answer() {
	s.assistant(func() {
		t := s.prose(s.size(350, 1.2, 10, 20000))
		if s.r.IntN(6) == 0 {
			t += "\n```go\n" + s.code(400, false) + "```\n"
		}
		s.str(`{"type":"text","text":`).quote(t).str(`}`)
	})
}

func (s *session) thinking() {
	s.assistant(func() {
		s.str(`{"type":"thinking","thinking":`).quote(s.prose(s.size(600, 1.2, 20, 30000))).
			str(`,"signature":"`).str(s.base64(s.size(500, 0.6, 200, 6000))).str(`"}`)
	})
}

// call writes a tool call, its progress and its result.
func (s *session) call() {
	name := pick(s.r, tools)
	if s.chance(0.015) {
		name = "Task"
	}
	id := s.wireID("toolu_01", 22)
	file := s.file(s.cwd)
	var old, new string
	s.assistant(func() {
		s.str(`{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":`)
		switch name {
		case "Bash":
			s.str(`{"command":`).quote(`cd ` + s.cwd + ` && grep -rn "` + s.ident() + `" --include='*.go' . | head -20 && go test ./... 2>&1 | tail -n 40`).
				str(`,"description":`).quote(s.prose(40)).str(`}`)
		case "Read", "Grep", "Glob":
			s.str(`{"file_path":`).quote(file).str(`}`)
		case "Edit":
			old, new = s.code(s.size(300, 1, 40, 9000), false), s.code(s.size(400, 1, 40, 9000), false)
			s.str(`{"file_path":`).quote(file).str(`,"old_string":`).quote(old).str(`,"new_string":`).quote(new).str(`,"replace_all":false}`)
		case "Write":
			new = s.code(s.size(3000, 1, 200, 90000), false)
			s.str(`{"file_path":`).quote(file).str(`,"content":`).quote(new).str(`}`)
		default:
			s.str(`{"description":`).quote(s.prose(40)).str(`,"prompt":`).quote(s.prose(s.size(900, 1, 100, 20000))).str(`,"subagent_type":"general-purpose"}`)
		}
		s.str(`}`)
	})
	source := s.prev
	if s.progresses() {
		s.progress(name, id)
	}
	s.result(name, id, file, old, new, source)
}

// progress writes what builds before 2.1.82 wrote while a tool ran: nodes of
// the chain that say nothing.
func (s *session) progress(name, id string) {
	kind, n := "hook_progress", s.r.IntN(3)
	switch name {
	case "Bash":
		kind, n = "bash_progress", int(s.r.ExpFloat64()*2.6)
	case "Task":
		kind, n = "agent_progress", 5+int(s.r.ExpFloat64()*20)
	}
	for i := range n {
		s.open("progress").str(`,"data":{"type":"` + kind + `",`)
		switch kind {
		case "bash_progress":
			s.str(`"output":`).quote(s.logs(s.size(300, 1, 10, 8000), s.cwd, s.now)).
				str(`,"fullOutput":`).quote(s.logs(s.size(300, 1, 10, 8000), s.cwd, s.now)).str(`,"elapsedTimeSeconds":`).num(i + 2).str(`,"totalLines":`).num(i * 3)
		case "agent_progress":
			s.str(`"message":{"type":"user","message":{"role":"user","content":[{"type":"text","text":`).quote(s.prose(s.size(800, 1, 50, 20000))).
				str(`}]},"uuid":"` + uuid(s.r) + `"},"normalizedMessages":[],"prompt":`).quote(s.prose(300)).str(`,"agentId":"`).str(s.wireID("a", 6)).str(`"`)
		default:
			s.str(`"hookEvent":"PreToolUse","hookName":"PreToolUse:` + name + `","command":`).quote("callback " + s.ident())
		}
		s.str(`},"toolUseID":"` + id + `","parentToolUseID":"` + id + `"`).node().end()
	}
}

func (s *session) result(name, id, file, old, new, source string) {
	var text, image string
	s.open("user").str(`,"message":{"role":"user","content":[{"tool_use_id":"` + id + `","type":"tool_result","content":`)
	switch {
	case s.chance(0.0015):
		image = s.base64(s.size(120000, 0.8, 20000, 2000000))
		s.str(`[{"type":"image","source":{"type":"base64","data":"` + image + `","media_type":"image/png"}}]`)
	case name == "Bash":
		text = s.logs(s.size(600, 1.4, 10, 300000), s.cwd, s.now)
		s.quote(text)
	case name == "Read":
		text = s.code(s.size(2500, 1.1, 200, 400000), true)
		s.quote(text)
	case name == "Task":
		text = s.prose(s.size(2000, 1, 200, 60000))
		s.str(`[{"type":"text","text":`).quote(text).str(`}]`)
	case name == "Edit" || name == "Write":
		s.quote("The file " + file + " has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n" + new[:min(len(new), 800)])
	default:
		for range 1 + s.r.IntN(60) {
			text += s.file(s.cwd) + "\n"
		}
		s.quote(text)
	}
	if name == "Bash" {
		s.str(pick(s.r, []string{`,"is_error":false`, `,"is_error":false`, `,"is_error":false`, `,"is_error":true`}))
	}
	s.str(`}]}`).node().str(`,"toolUseResult":`)
	switch {
	case image != "":
		s.str(`{"type":"image","file":{"base64":"` + image + `","type":"image/png","originalSize":12345}}`)
	case name == "Bash":
		s.str(`{"stdout":`).quote(text).str(`,"stderr":"","interrupted":false,"isImage":false}`)
	case name == "Read":
		s.str(`{"type":"text","file":{"filePath":`).quote(file).str(`,"content":`).quote(text).str(`,"numLines":100,"startLine":1,"totalLines":100}}`)
	case name == "Edit":
		s.edited(file, old, new)
	default:
		s.str(`{"filenames":[`)
		for i := range s.r.IntN(20) {
			if i > 0 {
				s.str(`,`)
			}
			s.quote(s.file(s.cwd))
		}
		s.str(`],"durationMs":`).num(s.r.IntN(1000)).str(`,"numFiles":3,"truncated":false}`)
	}
	s.str(`,"sourceToolAssistantUUID":"` + source + `"`).end()
}

func (s *session) edited(file, old, new string) {
	s.str(`{"filePath":`).quote(file).str(`,"oldString":`).quote(old).str(`,"newString":`).quote(new).
		str(`,"originalFile":`).quote(s.code(s.size(3500, 1, 200, 100000), false)).
		str(`,"structuredPatch":[{"oldStart":1,"oldLines":6,"newStart":1,"newLines":8,"lines":[`)
	for i := range 8 {
		if i > 0 {
			s.str(`,`)
		}
		s.quote(pick(s.r, []string{" ", "+", "-"}) + "\t" + s.ident())
	}
	s.str(`]}],"userModified":false,"replaceAll":false}`)
}

func (s *session) attachment() {
	s.open("attachment").str(`,"attachment":{"type":"hook_additional_context","hookName":"UserPromptSubmit","hookEvent":"UserPromptSubmit","toolUseID":"` + uuid(s.r) + `","content":[`).
		quote(s.prose(s.size(700, 1, 50, 20000))).str(`]},"entrypoint":"cli"`).node().end()
}

func (s *session) snapshot() {
	id := uuid(s.r)
	s.str(`{"type":"file-history-snapshot","messageId":"` + id + `","snapshot":{"messageId":"` + id + `","trackedFileBackups":{`)
	for i := range s.r.IntN(20) {
		if i > 0 {
			s.str(`,`)
		}
		s.quote(s.file(s.cwd)).str(`:{"backupFileName":"`).str(s.wireID("", 16)).str(`@v`).num(i + 1).str(`","version":`).num(i + 1).
			str(`,"backupTime":"` + s.now.Format("2006-01-02T15:04:05.000Z") + `"}`)
	}
	s.str(`},"timestamp":"` + s.tick() + `"},"isSnapshotUpdate":false`).end()
}

func (s *session) queue(operation, text string) {
	s.str(`{"type":"queue-operation","operation":"` + operation + `","timestamp":"` + s.tick() + `"`).sessionKey()
	if text != "" {
		s.str(`,"content":`).quote(text)
	}
	s.end()
}
