import { createHash } from 'node:crypto';
import { RESOLUTION_STATUSES, REVIEW_STATUSES, SEVERITIES } from '@clew/contracts';
import type { Document } from 'mongodb';

/** Time at which the first Finding was detected; the others follow at intervals of one second. */
export const FIRST_AT = 1_700_000_000_000;

/** Evidence of the size of an average Finding. */
const EVIDENCE = { ref: 'ev_1', kind: 'message', title: 'What was said', summary: 'It says what. '.repeat(150) };

/** Findings of a project: most are alike, and each filter has a value that one in a hundred has. */
export function* findingDocuments(projectId: string, count: number): Generator<Document> {
  for (let index = 0; index < count; index += 1) yield findingDocument(projectId, index);
}

/** Finding of a project, as diagnostics-svc stores it. */
export function findingDocument(projectId: string, index: number): Document {
  const digest = createHash('sha256').update(`finding ${index}`).digest();
  const share = (offset: number) => digest.readUInt32BE(offset) / 2 ** 32;
  const at = FIRST_AT + 1_000 * index;
  const id = `fnd_${digest.toString('hex').slice(0, 26).toUpperCase()}`;
  const primary = { id: `occ_${id}`, conversationId: 'chat', severityRank: 1, diagnosticScore: 1, firstDetectedAt: at };
  return {
    _id: id as never,
    projectId,
    ...{ clusterFingerprint: digest.toString('hex'), fingerprintVersion: 'finding-cluster-v1' },
    ...{ ruleId: 'rule_a', ruleKey: 'a', categoryKey: 'tools', listed: true, occurrenceCount: 1 },
    listing: { facets: ['r:rule_a', 'c:tools'], assignee: '', agent: '', workItem: 'none', snoozed: false },
    titleWords: ['a', 'tool', 'failed'],
    reviewStatus: oneInHundred(REVIEW_STATUSES, share(0)),
    resolutionStatus: oneInHundred(RESOLUTION_STATUSES, share(4)),
    severity: oneInHundred([...SEVERITIES].reverse(), share(8)),
    diagnosticScore: share(12),
    ...{ firstDetectedAt: at, lastDetectedAt: at, createdAt: at, updatedAt: at },
    ...{ reviewedAt: null, resolvedAt: null, regressedAt: null, assignee: null, snooze: null, verification: null },
    ...{ sequence: 1, revision: 1, primary, diagnosticConfidence: 1, confidenceSource: { kind: 'rules' } },
    window: [{ occurrenceId: primary.id, conversationId: 'chat', startMs: at, endMs: at + 1 }],
    ...{ title: 'A tool failed', summary: 'It failed.', causeAssessment: 'Nobody knows.', remediationHint: 'Look.' },
    anchor: { ...locationOf(), conversationId: 'chat' },
    evidence: [{ ...EVIDENCE, url: null, location: locationOf() }],
    ...{ analysisRevision: 'drv_1', evidenceSnapshotRevision: 'cesr_1', evidenceThroughMs: at },
  };
}

function locationOf() {
  return { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] };
}

/** Picks the first value for most Findings, and each other value for one in a hundred. */
function oneInHundred<Value>(values: readonly Value[], share: number): Value | undefined {
  return values[Math.floor(share * 100)] ?? values[0];
}

export interface ListedFilter {
  query: string;
}

/** Every combination of the list's filters: each absent, matching most, or matching few. */
export function everyFilter(count: number): ListedFilter[] {
  const lastAt = FIRST_AT + 1_000 * count;
  const choices: readonly (readonly string[])[] = [
    ['', 'reviewStatus=unreviewed', 'reviewStatus=dismissed'],
    ['', 'resolutionStatus=unresolved', 'resolutionStatus=regressed'],
    ['', 'severity=info', 'severity=critical'],
    ['', 'minDiagnosticScore=0.5', 'minDiagnosticScore=0.9999'],
    ['', `lastDetectedAfter=${FIRST_AT + 500 * count}`, `lastDetectedAfter=${lastAt - 10_000}`],
    ['', `lastDetectedBefore=${FIRST_AT + 900 * count}`, `lastDetectedBefore=${FIRST_AT + 10_000}`],
  ];
  const all = choices.reduce<string[][]>(
    (combined, choice) => combined.flatMap((some) => choice.map((one) => (one === '' ? some : [...some, one]))),
    [[]],
  );
  return all
    .map((some) => some.join('&'))
    .filter((query) => boundOf(query, 'lastDetectedAfter', 0) < boundOf(query, 'lastDetectedBefore', Infinity))
    .map((query) => ({ query }));
}

function boundOf(query: string, name: string, absent: number): number {
  return Number(new URLSearchParams(query).get(name) ?? absent);
}
