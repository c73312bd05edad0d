import { findingChanged, MAX_CHANGED_FINDINGS } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { Actor } from './activity/index.ts';
import type { FindingHead, FindingMove } from './finding.ts';

export interface EventContext {
  requestIdOf: (projectId: string) => string | null;
  nowMs: number;
  /** Who did it, where results did not bring it about. */
  actor?: Actor | undefined;
}

/** Tells of Findings whose state, severity or conversation is another one; one conversation more is not told. */
export function findingEvents(moves: readonly FindingMove[], context: EventContext): AnyOutboxMessage[] {
  const { requestIdOf, nowMs, actor } = context;
  const told = moves.filter(({ before, after }) => before === undefined || factsOf(before) !== factsOf(after));
  const byProject = Map.groupBy(told, ({ after }) => after.projectId);
  return [...byProject].flatMap(([projectId, ofProject]) =>
    inParts(ofProject, () => 1, MAX_CHANGED_FINDINGS).map((part) =>
      outboxMessage(findingChanged, {
        key: sha256Hex(part.map(({ after }) => `${after.id}:${after.sequence}`).join('\n')),
        projectId,
        requestId: requestIdOf(projectId),
        occurredAt: nowMs,
        data: { ...(actor === undefined ? {} : { actor }), findings: part.map(({ after }) => toldOf(after)) },
      }),
    ),
  );
}

function toldOf(head: FindingHead) {
  const { id: findingId, reviewStatus, resolutionStatus, severity, listed, occurrenceCount, sequence } = head;
  const { ruleId, ruleKey, categoryKey, mergedInto, splitFrom, snooze } = head;
  return {
    ...{ findingId, ruleId, ruleKey, categoryKey, snoozed: snooze !== null },
    ...(mergedInto === undefined ? {} : { mergedInto }),
    ...(splitFrom === undefined ? {} : { splitFrom }),
    ...{ reviewStatus, resolutionStatus, severity, listed, occurrenceCount, sequence },
    conversationId: conversationOf(head),
  };
}

/** Everything that makes it worth telling. */
function factsOf(head: FindingHead): string {
  const { occurrenceCount: _, sequence: _sequence, ...facts } = toldOf(head);
  return JSON.stringify(facts);
}

/** That of its primary occurrence, or the last one that it was described by. */
function conversationOf({ primary, window }: FindingHead): string {
  return primary?.conversationId ?? window[0]?.conversationId ?? '';
}
