import type { Finding } from '@clew/contracts';
import type { FindingHead, StoredFinding } from './finding.ts';
import { currentSnooze } from './snooze.ts';

/** Address of a Finding in the Workbench. */
export function findingUrlOf(publicUrl: string, { projectId, id }: Pick<FindingHead, 'projectId' | 'id'>): string {
  return `${publicUrl.replace(/\/$/, '')}/projects/${projectId}/findings/${id}`;
}

/** Finding as callers see it at that moment; with the address of its page, if that of the Workbench is given. */
export function findingView(finding: StoredFinding, nowMs: number, publicUrl?: string): Finding {
  const { ruleId, ruleKey, categoryKey, anchor, window, ...others } = finding;
  const { listed: _, primary: _primary, sequence: _sequence, revision: _revision, ...clustered } = others;
  const { mergedInto = null, memberIds = [], rootId: _root, clusterCount: _count, ...rest } = clustered;
  const { splitFrom = null, splits = [], workItem = null, situation: _situation, ...shown } = rest;
  return {
    ...shown,
    ...{ mergedInto, mergedFindingIds: [...memberIds], splitFrom, splits: [...splits] },
    snooze: currentSnooze(finding, nowMs),
    metadata: { categoryKey, diagnosticRule: { ruleId, ruleKey } },
    conversationId: anchor.conversationId,
    diagnosticAnchor: anchor,
    evidenceWindow: {
      startMs: Math.min(...window.map(({ startMs }) => startMs)),
      endMs: Math.max(...window.map(({ endMs }) => endMs)),
      conversationIds: window.map(({ conversationId }) => conversationId),
    },
    workItem,
    ...(publicUrl === undefined ? {} : { workbenchUrl: findingUrlOf(publicUrl, finding) }),
  };
}

/** Entity tag of the state that people set, and of regressions; further detections do not change it. */
export function findingEtag({ id, revision }: Pick<FindingHead, 'id' | 'revision'>): string {
  return `"${id}.${revision}"`;
}
