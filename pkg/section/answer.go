package section

import (
	"strconv"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/record"
)

// answerText renders an answered AskUserQuestion on one line: questions with their options, answers, notes.
func answerText(r *record.Record, k *record.Block) string {
	t := &r.Result
	if t.Answers.Empty() && len(t.Response) == 0 {
		return excerpt.Fold("[AskUserQuestion] " + k.ResultText())
	}
	a := answering{answers: keyed(t.Answers), notes: keyed(t.Annotations), told: map[string]bool{}}
	n := 0
	t.Questions.Items(func(record.Raw) { n++ })
	a.WriteString("[AskUserQuestion")
	if n > 0 {
		a.WriteString(" · " + strconv.Itoa(n) + plural(n, " question", " questions"))
	}
	a.WriteString("]")
	i := 0
	t.Questions.Items(func(q record.Raw) {
		i++
		a.question(i, q)
	})
	// Answers are keyed by the words of their question: what no question claims is listed as it stands.
	t.Answers.Each(func(q string, v record.Raw) {
		if !a.told[q] {
			a.WriteString(" " + q + ": " + valueText(v))
			a.note(q)
		}
	})
	if len(t.Response) > 0 {
		a.WriteString(" response: " + t.Response.String())
	}
	return excerpt.Fold(a.String())
}

// answering is such a text under way.
type answering struct {
	strings.Builder
	answers, notes map[string]record.Raw // by the words of the question
	told           map[string]bool       // the questions whose answers are written
}

// keyed gives the values of an object by key, as Get finds them one by one.
func keyed(v record.Raw) map[string]record.Raw {
	out := map[string]record.Raw{}
	v.Each(func(key string, m record.Raw) { out[key] = m })
	return out
}

func (a *answering) question(i int, q record.Raw) {
	words := q.Get("question").Str().String()
	a.WriteString(" Q" + strconv.Itoa(i))
	if h := q.Get("header").Str().String(); h != "" {
		a.WriteString(" (" + h + ")")
	}
	a.WriteString(": " + words)
	q.Get("options").Items(func(o record.Raw) {
		a.WriteString(" - " + o.Get("label").Str().String())
		if d := o.Get("description").Str().String(); d != "" {
			a.WriteString(": " + d)
		}
	})
	if v := a.answers[words]; v != nil && !a.told[words] {
		a.told[words] = true
		a.WriteString(" A" + strconv.Itoa(i) + ": " + valueText(v))
	}
	a.note(words)
}

// note adds the remarks that the person made beside an answer.
func (a *answering) note(question string) {
	if notes := a.notes[question].Get("notes").Str(); len(notes) > 0 {
		a.WriteString(" note: " + notes.String())
	}
}

// valueText gives a string's text, the strings of an array joined by commas, and anything else as compact JSON.
func valueText(v record.Raw) string {
	if s := v.Str(); s != nil {
		return s.String()
	}
	if v.IsArray() {
		var parts []string
		v.Items(func(it record.Raw) { parts = append(parts, valueText(it)) })
		return strings.Join(parts, ", ")
	}
	return string(appendCompact(nil, v))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
