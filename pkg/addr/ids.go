package addr

import "strings"

// uuidLen is the length of 8-4-4-4-12.
const uuidLen = 36

// minPrefix and maxPrefix bound a dashless id prefix; from minAgent hex digits on
// a token is an agent id.
const (
	minPrefix = 4
	maxPrefix = 11
	minAgent  = 12
	// agentTail is the hex tail of a named agent id: aScout-bdd061dedd8f0f64.
	agentTail = 16
)

// IsUUID reports whether s is 8-4-4-4-12 hex digits, in either case.
func IsUUID(s string) bool { return len(s) == uuidLen && uuidLayout(s) }

// uuidLayout reports whether s could be the beginning of a uuid.
func uuidLayout(s string) bool {
	if len(s) > uuidLen {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if !isHex(s[i]) {
				return false
			}
		}
	}
	return s != ""
}

// IsAgentID reports whether s has the shape of a subagent id: twelve or more hex
// digits, or a<Name>-<16 hex>. The ids of the client's own lanes
// (aprompt_suggestion-<16 hex>) have the second shape too. The short ids of Claude
// Code up to 2.0.77 (seven or eight hex digits) have the shape of a prefix.
func IsAgentID(s string) bool { return len(s) >= minAgent && allHex(s) || isNamedAgent(s) }

func isNamedAgent(s string) bool {
	cut := len(s) - agentTail - 1
	if cut < 2 || s[0] != 'a' || s[cut] != '-' || !allHex(s[cut+1:]) || IsUUID(s) {
		return false
	}
	return allName(s[1:cut])
}

// IsPrefix reports whether s is the beginning of an id: 4 to 11 hex digits without
// a dash, or a beginning of a uuid that reaches at least its first dash.
func IsPrefix(s string) bool {
	if allHex(s) {
		return len(s) >= minPrefix && len(s) <= maxPrefix
	}
	return len(s) < uuidLen && uuidLayout(s)
}

// IsID reports whether "@"+s names a transcript by its id or the beginning of one.
func IsID(s string) bool { return IsUUID(s) || IsAgentID(s) || IsPrefix(s) }

// IsEncodedDir reports whether s is shaped like an encoded project directory: it
// starts with a dash (-Users-x-proj) or with a drive (C--Users-x), and holds
// letters, digits and dashes alone. A drive-shaped word may still be a real path.
func IsEncodedDir(s string) bool {
	if !strings.HasPrefix(s, "-") && !driveShape(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) && s[i] != '-' {
			return false
		}
	}
	return len(s) > 1
}

func driveShape(s string) bool { return len(s) >= 3 && isLetter(s[0]) && s[1:3] == "--" }

func isRouting(s string) bool {
	name, team, ok := strings.Cut(s, "@")
	return ok && name != "" && team != "" && allName(name) && allName(team)
}

func allName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return true
}

func allHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isHex(s[i]) {
			return false
		}
	}
	return s != ""
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isAlnum(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
