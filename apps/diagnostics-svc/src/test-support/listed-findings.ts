import { RESOLUTION_STATUSES, REVIEW_STATUSES, SEVERITIES, type WorkItem } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import type { FindingDocument } from '../findings/finding.model.ts';
import { listingRowOf, wordsOf } from '../findings/listing/index.ts';
import { STARTED_AT } from './results.ts';

const TITLES = ['A tool failed', 'A tool was called again and again', 'The answer was cut off', 'Nobody knows why'];

/** Finding whose fields do not correlate: each field cycles with its own step. */
export function listedFinding(projectId: string, index: number): FindingDocument {
  const pick = <Value>(values: readonly Value[], step: number) =>
    values[Math.floor(index / step) % values.length] as Value;
  const at = STARTED_AT + ((index * 7_919) % 5_000);
  const listed = index % 13 !== 0;
  const rule = pick(['a', 'b', 'c', 'd'], 2);
  const head = {
    reviewStatus: pick(REVIEW_STATUSES, 1),
    resolutionStatus: pick(RESOLUTION_STATUSES, 3),
    severity: pick(SEVERITIES, 7),
    ...{ listed, ruleId: `rule_${rule}`, ruleKey: rule, categoryKey: rule < 'c' ? 'tools' : 'answers' },
    assignee: pick([null, 'usr_1', null, 'usr_2', null], 5),
    situation: pick([undefined, { agent: 'clerk' }, { agent: 'guide' }], 11),
    workItem: pick([null, { status: 'planned' }, { status: 'done' }] as (WorkItem | null)[], 17),
    snooze: index % 19 === 0 ? { since: at, until: null, furtherOccurrences: 3 } : null,
  };
  const title = pick(TITLES, 3);
  return {
    _id: derivedId('fnd', projectId, String(index)),
    projectId,
    ...head,
    ...{ listing: listingRowOf(head), titleWords: wordsOf(title), title },
    diagnosticScore: ((index * 104_729) % 1_000) / 1_000,
    occurrenceCount: 1 + ((index * 31) % 97),
    ...{ firstDetectedAt: at - ((index * 13) % 4_000), lastDetectedAt: at, createdAt: at, updatedAt: at },
    ...{ clusterFingerprint: `cluster ${index}`, fingerprintVersion: 'finding-cluster-v1' },
    ...{ diagnosticConfidence: 1, summary: '', causeAssessment: '', remediationHint: '' },
    ...{ verification: null, sequence: 0, revision: 1 },
    ...{ primary: null, window: [], evidence: [], evidenceThroughMs: at },
    anchor: { traceId: '', spanId: '', stepIndex: 0, quotes: [], conversationId: '' },
    confidenceSource: { kind: 'rules' },
    ...{ analysisRevision: '', evidenceSnapshotRevision: '', reviewedAt: null, resolvedAt: null, regressedAt: null },
  };
}
