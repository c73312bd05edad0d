import type { AnyOutboxMessage, Transaction } from '@clew/persistence';
import { broughtAbout, type Actor } from '../findings/activity/index.ts';
import { findingEvents } from '../findings/finding-events.ts';
import type { FindingMove } from '../findings/finding.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { cleanExposures, requiredOnes, withExposures } from './exposures.ts';
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
  /** Results that may be clean exposures of Findings that await verification. */
  evaluated?: readonly AnalysisResult[];
}

/** Writes changed conversations and Findings, whatever changed them: a result of Rules, or a verdict. */
export interface StateWriter {
  /** Returns the state as written, and the messages that announce it. */
  write(tx: Transaction, change: StateChange): Promise<{ after: ResultState; messages: AnyOutboxMessage[] }>;
}

export function createStateWriter(results: ResultStore): StateWriter {
  const { exposures } = results;

  async function verified(tx: Transaction, state: ResultState, evaluated: readonly AnalysisResult[], nowMs: number) {
    const uncounted = await exposures.uncounted(tx, cleanExposures(state, evaluated));
    const counted = requiredOnes(state, uncounted);
    await exposures.count(tx, counted);
    return withExposures(state, counted, nowMs);
  }

  return {
    async write(tx, { before, applied, requestIds, nowMs, actor, evaluated = [] }) {
      await results.saveConversations(tx, before, applied);
      const handedOver = await handOverPrimaries(results, tx, applied);
      const after = await verified(tx, withClusters(before, handedOver, nowMs), evaluated, nowMs);
      await results.saveFindings(tx, before, after);
      const moves = movesOf(before, after);
      await results.addActivities(tx, broughtAbout(moves, nowMs));
      await results.issueNotes.add(tx, moves, nowMs);
      await exposures.clear(
        tx,
        moves.filter(hasEndedVerification).map(({ after: { projectId, id } }) => ({ projectId, id })),
      );
      // Last, because results of one project that come at the same time wait for each other here.
      await results.saveSeries(tx, before, applied);
      const requestIdOf = requestIdsByProject(after, requestIds);
      const changes = findingEvents(moves, { requestIdOf, nowMs, actor });
      return { after, messages: [...changedCounts({ before, after, requestIds, nowMs }), ...changes] };
    },
  };
}

function hasEndedVerification({ before, after }: FindingMove): boolean {
  const awaits = 'awaiting_verification';
  return before?.resolutionStatus === awaits && after.resolutionStatus !== awaits;
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
