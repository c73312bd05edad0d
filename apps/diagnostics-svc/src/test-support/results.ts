import { analysisCompleted, type Detection, type Diagnosis, type EnvelopeOf } from '@clew/contracts';
import { derivedId, sha256Hex } from '@clew/kernel';
import type { EvaluatedSnapshot } from '../findings/occurrence.ts';

export const PROJECT_ID = `prj_${'1'.repeat(26)}`;
export const OTHER_PROJECT_ID = `prj_${'2'.repeat(26)}`;
/** Time at which the conversations of the builders began. */
export const STARTED_AT = 1_700_000_000_000;

export type CompletedMessage = EnvelopeOf<typeof analysisCompleted>;

/**
 * Detection of one cluster. In the results below its summary names the snapshot, so that a test sees where a
 * description comes from.
 */
export function detectionOf(cluster: string, overrides: Partial<Detection> = {}): Detection {
  const location = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [{ quote: cluster }] };
  return {
    ruleId: 'rule_a',
    ruleKey: 'a',
    categoryKey: 'tools',
    fingerprintVersion: 'finding-cluster-v1',
    clusterFingerprint: sha256Hex(cluster),
    severity: 'high',
    diagnosticScore: 0.8,
    diagnosticConfidence: 0.9,
    title: cluster,
    summary: `${cluster} was seen`,
    causeAssessment: 'Nobody handles it',
    remediationHint: 'Handle it',
    signals: ['signal'],
    anchor: location,
    evidence: [{ ref: 'ev_1', kind: 'message', title: cluster, summary: cluster, url: null, location }],
    ...overrides,
  };
}

export interface ResultParts {
  projectId?: string;
  conversationId?: string;
  /** Snapshot of the whole conversation at revision 1 by default. */
  snapshot?: Partial<EvaluatedSnapshot>;
  /** Revision of the configuration, by Rule; absent for the first. */
  revisions?: Readonly<Record<string, string>>;
  /** Detected clusters, or another end of the run, by Rule. */
  found: Readonly<Record<string, readonly (string | Detection)[] | 'failed' | 'skipped'>>;
  diagnosis?: Diagnosis;
  missingSuccess?: 'no_success_signal';
}

/** Result for one conversation, as a worker sends it; equal parts give equal messages. */
export function resultOf(parts: ResultParts): CompletedMessage {
  const { projectId = PROJECT_ID, conversationId = 'conversation-1', found, revisions = {} } = parts;
  const { diagnosis, missingSuccess } = parts;
  const { snapshotId, offered, ...snapshot } = snapshotOf(projectId, conversationId, parts.snapshot);
  const detections = Object.entries(found).flatMap(([ruleId, outcome]) =>
    typeof outcome === 'string' ? [] : outcome.map((each) => detectionFor(ruleId, snapshotId, each)),
  );
  const unfinished = (wanted: string) =>
    Object.entries(found).flatMap(([ruleId, outcome]) =>
      outcome === wanted ? [{ ruleId, reason: `it ${wanted}` }] : [],
    );
  const [failed, skipped] = [unfinished('failed'), unfinished('skipped')];
  return messageOf(projectId, {
    rules: Object.keys(found).map((ruleId) => ({
      ruleId,
      ...(revisions[ruleId] === undefined ? {} : { revision: revisions[ruleId] }),
    })),
    ...(offered === undefined ? {} : { offered: [offered] }),
    conversations: [
      {
        ...{ conversationId, snapshotId },
        snapshot: offered === undefined ? snapshot : { ...snapshot, offered: 0 },
        ...(diagnosis === undefined ? {} : { diagnosis }),
        ...(missingSuccess === undefined ? {} : { missingSuccess }),
        ...(detections.length === 0 ? {} : { detections }),
        ...(failed.length === 0 ? {} : { failed }),
        ...(skipped.length === 0 ? {} : { skipped }),
      },
    ],
  });
}

/** Joins several messages about the same project and Rules into one. */
export function together(messages: readonly CompletedMessage[]): CompletedMessage {
  const [first] = messages;
  if (first === undefined) throw new Error('There is no message');
  const offered: NonNullable<CompletedMessage['data']['offered']> = [];
  const conversations = messages.flatMap(({ data }) => {
    const before = offered.length;
    offered.push(...(data.offered ?? []));
    return data.conversations.map((each) => {
      const place = each.snapshot?.offered;
      if (each.snapshot === null || place === undefined) return each;
      return { ...each, snapshot: { ...each.snapshot, offered: before + place } };
    });
  });
  return messageOf(first.projectId, {
    rules: first.data.rules,
    ...(offered.length === 0 ? {} : { offered }),
    conversations,
  });
}

function messageOf(projectId: string, data: CompletedMessage['data']): CompletedMessage {
  const { type, version } = analysisCompleted;
  const id = `${type}:${sha256Hex(JSON.stringify([projectId, data]))}`;
  return { id, type, version, occurredAt: STARTED_AT, projectId, requestId: null, data };
}

function detectionFor(ruleId: string, snapshotId: string, cluster: string | Detection): Detection {
  if (typeof cluster !== 'string') return cluster;
  return detectionOf(cluster, { ruleId, summary: `${cluster} in ${snapshotId}` });
}

export function snapshotOf(
  projectId: string,
  conversationId: string,
  overrides: Partial<EvaluatedSnapshot> = {},
): EvaluatedSnapshot {
  const { revision = 1, scope = 'conversation', startedAt = STARTED_AT } = overrides;
  const throughMs = overrides.throughMs ?? STARTED_AT + revision * 1_000;
  const snapshotId =
    overrides.snapshotId ?? derivedId('cesr', projectId, conversationId, scope, String(revision), String(throughMs));
  const { expiredThrough, offered } = overrides;
  return {
    ...{ snapshotId, revision, scope, startedAt, throughMs },
    ...(expiredThrough === undefined ? {} : { expiredThrough }),
    ...(offered === undefined ? {} : { offered }),
  };
}
