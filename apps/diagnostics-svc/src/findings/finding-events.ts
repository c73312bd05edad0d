import { findingChanged, MAX_CHANGED_FINDINGS } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { Actor } from './activity/index.ts';
import type { FindingHead, FindingMove } from './finding.ts';

export interface EventContext {
  requestIdOf: (projectId: string) => string | null;
  nowMs: number;
  /** Actor of the change, if it was not a result. */
  actor?: Actor | undefined;
}

/**
 * Builds events for Findings whose state, severity or conversation has changed; a further conversation alone is no
 * reason.
 */
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
        data: {
          ...(actor === undefined ? {} : { actor }),
          findings: part.map(({ before, after }) => ({ ...toldOf(after), previous: previousOf(before) })),
        },
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

function previousOf(head: FindingHead | undefined) {
  if (head === undefined) return null;
  const { reviewStatus, resolutionStatus, severity, listed } = head;
  return { reviewStatus, resolutionStatus, severity, listed };
}

/** Facts whose change is worth an event. */
function factsOf(head: FindingHead): string {
  const { occurrenceCount: _, sequence: _sequence, ...facts } = toldOf(head);
  return JSON.stringify(facts);
}

/** Conversation of the primary occurrence, or of the last one that described the Finding. */
function conversationOf({ primary, window }: FindingHead): string {
  return primary?.conversationId ?? window[0]?.conversationId ?? '';
}
