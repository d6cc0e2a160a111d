package cli

// helpText renders the help of a tool.
func helpText(f Family, c call, flags []*Flag) string {
	return c.tool.Summary + "\n"
}
