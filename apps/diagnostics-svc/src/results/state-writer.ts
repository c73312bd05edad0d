import type { AnyOutboxMessage, Transaction } from '@clew/persistence';
import { broughtAbout, type Actor } from '../findings/activity/index.ts';
import { findingEvents } from '../findings/finding-events.ts';
import type { ResultState } from './result-state.ts';
import { changedCounts } from './finding-counts.ts';
import { handOverPrimaries } from './hand-over-primaries.ts';
import type { ResultStore } from './results.store.ts';
import { movesOf, withClusters } from './with-clusters.ts';

export interface StateChange {
  before: ResultState;
  applied: ResultState;
  /** Request that caused the change, by `conversationKey`. */
  requestIds: ReadonlyMap<string, string | null>;
  nowMs: number;
  /** Actor of the change, if it was not a result. */
  actor?: Actor;
}

/** Writes changed conversations and Findings, whatever changed them: a result of Rules, or a verdict. */
export interface StateWriter {
  /** Returns the state as written, and the messages that announce it. */
  write(tx: Transaction, change: StateChange): Promise<{ after: ResultState; messages: AnyOutboxMessage[] }>;
}

export function createStateWriter(results: ResultStore): StateWriter {
  return {
    async write(tx, { before, applied, requestIds, nowMs, actor }) {
      await results.saveConversations(tx, before, applied);
      const handedOver = await handOverPrimaries(results, tx, applied);
      const after = withClusters(before, handedOver, nowMs);
      await results.saveFindings(tx, before, after);
      const moves = movesOf(before, after);
      await results.addActivities(tx, broughtAbout(moves, nowMs));
      const requestIdOf = requestIdsByProject(after, requestIds);
      const changes = findingEvents(moves, { requestIdOf, nowMs, actor });
      return { after, messages: [...changedCounts({ before, after, requestIds, nowMs }), ...changes] };
    },
  };
}

/** Request that caused the changes of a project, if it was a single one. */
function requestIdsByProject(
  { conversations }: ResultState,
  requestIds: ReadonlyMap<string, string | null>,
): (projectId: string) => string | null {
  const byProject = Map.groupBy(requestIds, ([key]) => conversations.get(key)?.projectId);
  return (projectId) => {
    const distinct = new Set(byProject.get(projectId)?.map(([, requestId]) => requestId));
    const [first = null] = distinct;
    return distinct.size === 1 ? first : null;
  };
}
