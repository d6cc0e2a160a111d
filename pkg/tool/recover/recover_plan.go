package recover

import (
	"context"

	"csift/pkg/scope"
)

// plan gives the plan file that @plan stands for. Where nothing names a scope it is that of the calling session.
func (j *recoverJob) plan(ctx context.Context) (string, error) {
	if len(j.env.Args) == 0 && j.ask.SessionsFrom == "" && j.src == nil {
		caller, err := callingSession(j.env)
		if err != nil {
			return "", err
		}
		if j.set, _, err = scope.Resolve(ctx, j.env, []string{caller}, j.ask.Flags); err != nil {
			return "", err
		}
	}
	return boundPlan(ctx, j.env, j.set)
}
