import { MAX_ANALYSED_SNAPSHOTS, snapshotAnalysed, type EnvelopeOf } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import { unknownRulesOf, worstOf, type Analysis, type AnalysisTarget } from './analysis.ts';
import type { Analyses } from './analyses.store.ts';

type AnalysedSnapshot = EnvelopeOf<typeof snapshotAnalysed>['data']['snapshots'][number];

export interface Announcement {
  projectId: string;
  snapshot: AnalysedSnapshot;
}

/** Announcement of a snapshot on which no Rule will run. */
export function notAnalysed({ projectId, conversationId, snapshotId }: AnalysisTarget): Announcement {
  const nothing = { score: null, severity: null, findingIds: [], unknownRules: 0 };
  return { projectId, snapshot: { conversationId, snapshotId, analysed: false, ...nothing } };
}

/** Announcements of analyses that a change has ended, or has changed after their end. */
export function endedBy(before: Analyses, after: Analyses): Announcement[] {
  return [...after.values()]
    .filter((analysis) => analysis.endedAt !== null && before.get(analysis.id) !== analysis)
    .map((analysis) => ({ projectId: analysis.projectId, snapshot: analysedSnapshot(analysis) }));
}

function analysedSnapshot({ conversationId, snapshotId, runs, found }: Analysis): AnalysedSnapshot {
  return {
    ...{ conversationId, snapshotId, analysed: true },
    score: found.length === 0 ? null : Math.max(...found.map(({ score }) => score)),
    severity: worstOf(found.map(({ severity }) => severity)) ?? null,
    findingIds: [...new Set(found.flatMap(({ findingIds }) => findingIds))],
    unknownRules: unknownRulesOf({ runs }),
  };
}

/** Events for announcements, up to a hundred snapshots each; `causes` are the ids of the messages that led to them. */
export function analysedEvents(
  announcements: readonly Announcement[],
  causes: readonly string[],
  occurredAt: number,
): AnyOutboxMessage[] {
  const cause = causes.join('\n');
  return [...Map.groupBy(announcements, ({ projectId }) => projectId)].flatMap(([projectId, ofProject]) =>
    inParts(ofProject, () => 1, MAX_ANALYSED_SNAPSHOTS).map((part, index) =>
      outboxMessage(snapshotAnalysed, {
        key: sha256Hex(`${projectId}\n${index}\n${cause}`),
        ...{ projectId, requestId: null, occurredAt },
        data: { snapshots: part.map(({ snapshot }) => snapshot) },
      }),
    ),
  );
}
