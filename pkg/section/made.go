package section

// Made are words of section texts that stand in no record: csift puts them there. A search that passes over lines by what
// stands in them has to look at every line with one of Marks when its pattern touches one of Words.
//
// Words are given between blanks or JSON punctuation; "*" is a neighbour that comes from the record, "#" a number, "%" a
// hexadecimal digit.
type Made struct {
	Marks []string // literal pieces of the raw line; each line that gives such a text has one of them
	Words []string
}

// made lists them all. A text that is made anew belongs here.
var made = []Made{
	{ // boundaryText
		Marks: []string{"compact_boundary"},
		Words: []string{"compaction", "boundary", "trigger=*", "preTokens=*", "postTokens=*", "durationMs=*", "messagesSummarized=*",
			"cumulativeDroppedTokens=*", "preserved=#", "uuids", "#", "allUuids", "anchor", "%%%%%%%%", "segment=*", "*..*", "*..%%%%%%%%",
			"segment=%%%%%%%%..%%%%%%%%", "logicalParent=*"},
	},
	{ // pulse
		Marks: []string{"task-notification"},
		Words: []string{"background-command", "monitor", "workflow", "subagent", "task", "?", "completed", "(orphan", "reconciliation", "*)"},
	},
	{ // answerText
		Marks: []string{`"answers"`, `"response"`, "answered"},
		Words: []string{"AskUserQuestion", "·", "#", "question", "questions", "Q#", "(*", "*)", "-", "A#", "note", "response"},
	},
	{ // a command that the person typed behind !
		Marks: []string{"bash-input"},
		Words: []string{"!*"},
	},
}

// Marks gives the literals of the lines that have to be looked at for a pattern. touches says whether the pattern may
// match by help of a word.
func Marks(touches func(word string) bool) (marks []string) {
	for i := range made {
		for _, w := range made[i].Words {
			if touches(w) {
				marks = append(marks, made[i].Marks...)
				break
			}
		}
	}
	return marks
}
