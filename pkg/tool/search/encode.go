package search

import (
	"strconv"

	"csift/pkg/row"
	"csift/pkg/section"
)

// The rows of a search are written by hand: there are tens of thousands of hits with some sixty keys each. The slow path
// writes them by reflection (see row.Append), and both give the same bytes.

// appendExchange appends the row of an exchange. ref is what stands for the members of its Ref, see row.Ref.Members.
func appendExchange(dst []byte, e *exchange, ref []byte) []byte {
	dst = append(row.AppendString(append(dst, `{"kind":`...), e.Kind), ',')
	dst = append(dst, ref...)
	if e.ParentMissing {
		dst = append(dst, `,"parent_missing":true`...)
	}
	dst = row.Number(dst, `,"turn_index":`, e.TurnIndex)
	dst = row.Truth(dst, `,"superseded_draft":`, &e.SupersededDraft)
	dst = row.Text(dst, `,"ts_utc":`, e.TSUTC)
	dst = row.Text(dst, `,"ts_local":`, e.TSLocal)
	dst = row.Texts(dst, `,"record_uuids":`, e.RecordUUIDs)
	dst = appendHits(append(dst, `,"hits":`...), e.Hits, ref)
	if f := e.family; f != nil {
		dst = appendHits(append(dst, `,"siblings":`...), f.Siblings, ref)
		dst = row.Number(dst, `,"siblings_hidden":`, &f.SiblingsHidden)
		dst = append(dst, `,"turn_lines":`...)
		if l := f.TurnLines; l != nil {
			dst = strconv.AppendInt(append(dst, '['), int64(l[0]), 10)
			dst = append(strconv.AppendInt(append(dst, ','), int64(l[1]), 10), ']')
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// appendHits appends the hits of an exchange, which all have its Ref.
func appendHits(dst []byte, hits []hit, ref []byte) []byte {
	if hits == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i := range hits {
		if i > 0 {
			dst = append(dst, ',')
		}
		h := &hits[i]
		dst = append(append(dst, '{'), ref...)
		dst = appendUnit(dst, &h.Unit)
		dst = row.AppendString(append(dst, `,"excerpt":`...), h.Excerpt)
		dst = row.Text(dst, `,"body":`, h.Body)
		dst = row.AppendString(append(dst, `,"refetch":`...), h.Refetch)
		dst = append(row.Text(dst, `,"refetch_uuid":`, h.RefetchUUID), '}')
	}
	return append(dst, ']')
}

// appendUnit appends the members of a unit, a comma before each.
func appendUnit(dst []byte, u *section.Unit) []byte {
	dst = row.Text(dst, `,"label":`, u.Label)
	dst = row.Texts(dst, `,"labels":`, u.Labels)
	dst = row.Truth(dst, `,"delivered":`, u.Delivered)
	dst = row.Text(dst, `,"survival":`, u.Survival)
	dst = row.Number(dst, `,"abandoned_root_line":`, u.AbandonedRootLine)
	dst = row.Number(dst, `,"replay_copy_of":`, u.ReplayCopyOf)
	dst = row.Number(dst, `,"line":`, u.Line)
	dst = row.Text(dst, `,"uuid":`, u.UUID)
	dst = row.Text(dst, `,"ts_utc":`, u.TSUTC)
	dst = row.Text(dst, `,"ts_local":`, u.TSLocal)
	dst = row.Text(dst, `,"tool_name":`, u.ToolName)
	dst = row.Text(dst, `,"tool_use_id":`, u.ToolUseID)
	dst = row.Text(dst, `,"pairing":`, u.Pairing)
	dst = row.Truth(dst, `,"is_error":`, u.IsError)
	dst = row.Text(dst, `,"denial_kind":`, u.DenialKind)
	dst = row.Text(dst, `,"from":`, u.From)
	dst = row.Text(dst, `,"to":`, u.To)
	dst = row.Text(dst, `,"queue_operation":`, u.QueueOperation)
	dst = row.Text(dst, `,"queue_reason":`, u.QueueReason)
	dst = row.Truth(dst, `,"resume_paired":`, u.ResumePaired)
	dst = row.Text(dst, `,"scheduled_at":`, u.ScheduledAt)
	dst = row.Texts(dst, `,"task_ids":`, u.TaskIDs)
	dst = row.Text(dst, `,"orphan_kind":`, u.OrphanKind)
	dst = row.Text(dst, `,"mode":`, u.Mode)
	dst = append(dst, `,"compact_metadata":`...)
	if len(u.CompactMetadata) > 0 {
		dst = row.Append(dst, u.CompactMetadata)
	} else {
		dst = append(dst, "null"...)
	}
	dst = row.Number(dst, `,"superseding_line":`, u.SupersedingLine)
	dst = row.Text(dst, `,"superseding_uuid":`, u.SupersedingUUID)
	dst = row.Number(dst, `,"diff_chars":`, u.DiffChars)
	dst = row.Number(dst, `,"diff_pct":`, u.DiffPct)
	dst = row.Truth(dst, `,"diff_exact":`, u.DiffExact)
	dst = row.Text(dst, `,"source":`, u.Source)
	dst = row.Number(dst, `,"for_root":{"line":`, u.ForRoot.Line)
	dst = row.Text(dst, `,"uuid":`, u.ForRoot.UUID)
	dst = row.Number(dst, `,"hops":`, u.ForRoot.Hops)
	dst = append(row.Text(dst, `,"note":`, u.ForRoot.Note), '}')
	dst = appendEdges(dst, u.For)
	dst = row.Texts(dst, `,"image_ids":`, u.ImageIDs)
	dst = someNumber(dst, `,"signature_len":`, u.SignatureLen)
	dst = someTruth(dst, `,"thinking_text_absent":`, u.ThinkingEmpty)
	dst = appendFacts(dst, &u.Facts)
	dst = appendExposed(dst, &u.Exposed)
	return someNumber(dst, `,"client_turn":`, u.ClientTurn)
}

func appendEdges(dst []byte, edges []section.Edge) []byte {
	if len(edges) == 0 {
		return dst
	}
	dst = append(dst, `,"for":[`...)
	for i := range edges {
		if i > 0 {
			dst = append(dst, ',')
		}
		x := &edges[i]
		dst = row.Text(dst, `{"kind":`, &x.Kind)
		dst = row.Text(dst, `,"basis":`, x.Basis)
		dst = row.Number(dst, `,"line":`, x.Line)
		dst = row.Text(dst, `,"uuid":`, x.UUID)
		dst = someText(dst, `,"id":`, x.ID)
		dst = someText(dst, `,"session_id":`, x.Session)
		dst = append(someText(dst, `,"reason":`, x.Reason), '}')
	}
	return append(dst, ']')
}

func appendFacts(dst []byte, f *section.Facts) []byte {
	dst = someText(dst, `,"served_by":`, f.ServedBy)
	dst = someText(dst, `,"fell_back_from":`, f.FellBackFrom)
	dst = someTruth(dst, `,"relayed":`, f.Relayed)
	dst = someText(dst, `,"peer_sender_task_id":`, f.PeerSenderTaskID)
	dst = someText(dst, `,"body_source":`, f.BodySource)
	dst = someText(dst, `,"rendered_role":`, f.RenderedRole)
	dst = someText(dst, `,"produced_by":`, f.ProducedBy)
	if f.PDFPages != nil {
		dst = row.Append(append(dst, `,"pdf_pages":`...), f.PDFPages)
	}
	return dst
}

func appendExposed(dst []byte, x *section.Exposed) []byte {
	dst = someText(dst, `,"attribution_skill":`, x.AttributionSkill)
	dst = someText(dst, `,"attribution_agent":`, x.AttributionAgent)
	dst = someText(dst, `,"attribution_plugin":`, x.AttributionPlugin)
	dst = someText(dst, `,"attribution_mcp_server":`, x.AttributionMCPServer)
	dst = someText(dst, `,"attribution_mcp_tool":`, x.AttributionMCPTool)
	dst = someText(dst, `,"request_id":`, x.RequestID)
	dst = someNumber(dst, `,"api_block_index":`, x.APIBlockIndex)
	dst = someTruth(dst, `,"tool_ends_turn":`, x.ToolEndsTurn)
	dst = someText(dst, `,"user_feedback":`, x.UserFeedback)
	dst = someText(dst, `,"error":`, x.Error)
	dst = someNumber(dst, `,"api_error_status":`, x.APIErrorStatus)
	if x.QuotaLimits != nil {
		dst = row.Append(append(dst, `,"quota_limits":`...), x.QuotaLimits)
	}
	dst = someTruth(dst, `,"truncated_after_output":`, x.TruncatedAfterOutput)
	dst = someTruth(dst, `,"is_aborted_mid_stream":`, x.IsAbortedMidStream)
	dst = someText(dst, `,"interrupted_message_id":`, x.InterruptedMessageID)
	dst = someText(dst, `,"scheduled_task_id":`, x.ScheduledTaskID)
	dst = someText(dst, `,"scheduled_fire_id":`, x.ScheduledFireID)
	return someText(dst, `,"hook_run_id":`, x.HookRunID)
}

// someText appends a member that is left out when it is nil, as are those of the next two.
func someText(dst []byte, name string, v *string) []byte {
	if v == nil {
		return dst
	}
	return row.Text(dst, name, v)
}

func someNumber(dst []byte, name string, v *int) []byte {
	if v == nil {
		return dst
	}
	return row.Number(dst, name, v)
}

func someTruth(dst []byte, name string, v *bool) []byte {
	if v == nil {
		return dst
	}
	return row.Truth(dst, name, v)
}
