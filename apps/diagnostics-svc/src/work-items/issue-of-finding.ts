import { issueDraft, type IssueDraft } from '@clew/issue-trackers';
import { findingUrlOf, findingView } from '../findings/finding-view.ts';
import type { StoredFinding } from '../findings/finding.ts';

/** Issue that describes a Finding as it is at that moment. */
export function issueOf(finding: StoredFinding, publicUrl: string, nowMs: number): IssueDraft {
  return issueDraft({ ...findingView(finding, nowMs), url: findingUrlOf(publicUrl, finding) });
}
