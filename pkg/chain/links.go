package chain

import "csift/pkg/record"

// ParentOf gives the node that a node's parent link leads to; None where it leads nowhere.
func (r *Result) ParentOf(i int32) int32 { return r.parent[i] }

// MessageKey gives what Node.Message is in the records of the reply with that message id; 0 for none.
func MessageKey(id record.Str) uint64 {
	if len(id) == 0 {
		return 0
	}
	return hash(id)
}
