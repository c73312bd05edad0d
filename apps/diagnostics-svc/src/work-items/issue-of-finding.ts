import { issueDraft, type IssueDraft } from '@clew/issue-trackers';
import { findingView } from '../findings/finding-view.ts';
import type { StoredFinding } from '../findings/finding.ts';

/** Address of a Finding in the Workbench. */
export function findingUrlOf(publicUrl: string, { projectId, id }: Pick<StoredFinding, 'projectId' | 'id'>): string {
  return `${publicUrl.replace(/\/$/, '')}/projects/${projectId}/findings/${id}`;
}

/** Issue that describes a Finding as it is at that moment. */
export function issueOf(finding: StoredFinding, publicUrl: string, nowMs: number): IssueDraft {
  return issueDraft({ ...findingView(finding, nowMs), url: findingUrlOf(publicUrl, finding) });
}
