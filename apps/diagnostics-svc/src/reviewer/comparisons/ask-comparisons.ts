import { kindComparisonRequested, providerKeyOf, type ComparedKind } from '@clew/contracts';
import { nextDayMs, type Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  outboxMessage,
  readProviderGates,
  type AskedWork,
  type Capacity,
  type Circuits,
  type Database,
  type Outbox,
  type ProviderGates,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { BudgetStore } from '../../adjudication/budget.store.ts';
import type { Judge } from '../../adjudication/judges.ts';
import { createAwayPauses } from '../away.ts';
import type { ProblemClusterStore } from '../problem-clusters.store.ts';
import type { ReviewerOrNot, ReviewPlan, Reviewers } from '../reviewers.ts';
import { comparisonCollection, type ComparisonDocument } from './comparison.model.ts';
import type { ClaimedComparison, ComparisonStore } from './comparisons.store.ts';

export interface AskComparisonsDependencies {
  database: Database;
  comparisons: ComparisonStore;
  clusters: ProblemClusterStore;
  budgets: BudgetStore;
  circuits: Circuits;
  /** Comparisons that workers may have in hand, in all and for one project. */
  capacity(): Capacity;
  reviewers: Reviewers;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Facts that a decision needs, read before the transaction. */
interface Known {
  plan: ReviewPlan;
  reviewer: ReviewerOrNot;
}

interface Deciding {
  known: Known;
  gates: ProviderGates;
  pauseOf: ReturnType<typeof createAwayPauses>;
  nowMs: number;
}

const GROUP_SIZE = 10;
const LOOK_AGAIN_MS = 60_000;

/** Requests due comparisons; each takes a place of the day's reviews. */
export function createAskComparisons(deps: AskComparisonsDependencies): AskedWork<ComparisonDocument> {
  const { database, reviewers, circuits, clock } = deps;
  const work: AskedWork<ComparisonDocument> = createAskedWork({
    ...{ name: 'kind comparison', database, circuits, clock, logger: deps.logger, capacity: deps.capacity },
    ...{ collection: comparisonCollection(database.connection), groupSize: GROUP_SIZE, pollMs: deps.pollMs },
    async look(projectId): Promise<Known> {
      const plan = (await reviewers.plansOf([projectId])).get(projectId) ?? { mode: 'off', dailyReviews: 0 };
      return { plan, reviewer: plan.mode === 'off' ? 'unavailable' : await reviewers.find(projectId) };
    },
    async decide(tx, projectId, claimed, known) {
      const nowMs = clock.now();
      const keys = typeof known.reviewer === 'string' ? [] : [providerKeyOf(projectId, known.reviewer.model)];
      const gates = await readProviderGates(tx, circuits, { keys, nowMs, lookAgainMs: LOOK_AGAIN_MS });
      const deciding = { known, gates, pauseOf: createAwayPauses(nowMs), nowMs };
      for (const row of claimed) await decide(deps, work, tx, row, deciding);
    },
    putOffSince: async () => undefined,
    putOffReason: 'budget',
  });
  return work;
}

async function decide(
  deps: AskComparisonsDependencies,
  work: Pick<AskedWork<ComparisonDocument>, 'rows'>,
  tx: Transaction,
  row: ClaimedComparison,
  { known: { plan, reviewer }, gates, pauseOf, nowMs }: Deciding,
): Promise<void> {
  const { comparisons, clusters, budgets, outbox } = deps;
  const wait = (dueAt: number) => work.rows.settle(tx, [row], { dueAt });
  async function end(): Promise<void> {
    await work.rows.settle(tx, [row]);
    await comparisons.end(tx, row);
  }
  // An asked row that becomes due counts as lost.
  if (row.state !== 'due' || reviewer === 'unavailable') return await end();
  if (reviewer === 'away') {
    const again = pauseOf(row);
    if (again === undefined) return await end();
    await wait(again.dueAt);
    return await comparisons.noteAway(tx, row._id, again.awaySince);
  }
  const provider = providerKeyOf(row.projectId, reviewer.model);
  const closedUntil = gates.closedUntil(provider);
  if (closedUntil !== undefined) return await wait(closedUntil);
  const limit = kindsFor(reviewer.capabilities?.contextLength ?? null);
  const kinds = await clusters.toCompare(tx, row, limit);
  if (kinds.length < 2) {
    await clusters.markCompared(tx, row.projectId, newIdsOf(kinds));
    return await end();
  }
  if ((await budgets.reserve(tx, row.projectId, 1, plan.dailyReviews, nowMs)) === 0)
    return await wait(nextDayMs(nowMs));
  gates.pass(provider);
  await gates.ask(provider);
  await work.rows.settle(tx, [row], { dueAt: nowMs + ANSWER_WITHIN_MS });
  await comparisons.asked(tx, row);
  await outbox.appendMany(tx, [commandOf(row, reviewer, kinds, nowMs)]);
}

function newIdsOf(kinds: readonly ComparedKind[]): string[] {
  return kinds.filter(({ isNew }) => isNew).map(({ id }) => id);
}

/** Share of a model's context for the list of kinds, and the tokens that one of them takes at most. */
const SHARE_OF_CONTEXT = 0.5;
const TOKENS_OF_KIND = 150;

/** Number of kinds that fit the context of a model, in tokens; infinite where it is unknown. */
function kindsFor(contextLength: number | null): number {
  return Math.max(2, Math.floor(((contextLength ?? Infinity) * SHARE_OF_CONTEXT) / TOKENS_OF_KIND));
}

function commandOf(
  { _id: comparisonId, projectId, rounds }: ClaimedComparison,
  { model, capabilities }: Judge,
  kinds: ComparedKind[],
  nowMs: number,
) {
  const round = rounds + 1;
  return outboxMessage(kindComparisonRequested, {
    key: `${comparisonId}:${round}`,
    ...{ projectId, requestId: null, occurredAt: nowMs },
    data: {
      ...{ comparisonId, model, round, kinds },
      capabilities,
    },
  });
}
