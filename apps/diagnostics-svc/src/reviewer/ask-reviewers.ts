import { MAX_HINTS, MAX_KNOWN_KINDS, providerKeyOf, reviewRequested, SEVERITIES, type Waiting } from '@clew/contracts';
import { nextDayMs, type Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  outboxMessage,
  readProviderGates,
  type AnyOutboxMessage,
  type AskedWork,
  type Capacity,
  type Circuits,
  type Database,
  type Outbox,
  type ProviderGates,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { BudgetStore } from '../adjudication/budget.store.ts';
import type { Judge } from '../adjudication/judges.ts';
import type { Occurrence } from '../findings/occurrence.ts';
import { createAwayPauses } from './away.ts';
import type { ReviewWriter } from './review-writer.ts';
import type { ReviewerOrNot, ReviewPlan, Reviewers } from './reviewers.ts';
import { reviewCollection, type ReviewDocument } from './reviews.model.ts';
import type { ClaimedReview, ReviewStore, WhichReview } from './reviews.store.ts';

export interface AskReviewersDependencies {
  database: Database;
  reviews: ReviewStore;
  budgets: BudgetStore;
  circuits: Circuits;
  /** Reviews that workers may have in hand, in all and for one project. */
  capacity(): Capacity;
  reviewers: Reviewers;
  /** Name of the project's embedding model; null if it has none. */
  embeddingModelOf(projectId: string): Promise<string | null>;
  /** Kinds of problems that are the most frequent in a project. */
  knownKinds(tx: Transaction, projectId: string, limit: number): Promise<string[]>;
  /** Occurrences of Rules that snapshots of one project show, by snapshot. */
  shownBy: ReviewWriter['shownBy'];
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Decision about one row. */
type Step = { kind: 'end' } | { kind: 'wait'; dueAt: number; awaySince?: number } | { kind: 'ask'; judge: Judge };

/** Facts that a decision needs, read before the transaction. */
interface Known {
  reviewer: ReviewerOrNot;
  plan: ReviewPlan;
  embeddingModel: string | null;
}

export interface AskReviewers extends Pick<AskedWork<ReviewDocument>, 'start' | 'wake'> {
  /** Reconsiders the reviews that wait for budget or a provider. */
  release(projectId: string): Promise<void>;
  /** Reconsiders the reviews whose model was away. */
  releaseAway(projectId: string): Promise<void>;
  /** Tells why the next review of a project, or that of a conversation, was not asked for yet; `undefined` if none waits. */
  waitingOf(projectId: string, some: WhichReview): Promise<Waiting | undefined>;
}

const GROUP_SIZE = 20;
const LOOK_AGAIN_MS = 60_000;

/** Requests due reviews, as many as a project has room and budget for; the rest waits. */
export function createAskReviewers(deps: AskReviewersDependencies): AskReviewers {
  const { database, reviews, reviewers, circuits, clock } = deps;
  // No row is given up while the Model Runtime is away: it waits as it does for a model.
  const work = createAskedWork<ReviewDocument, WhichReview, Known, void>({
    ...{ name: 'review', database, circuits, clock, logger: deps.logger, capacity: deps.capacity },
    ...{ collection: reviewCollection(database.connection), groupSize: GROUP_SIZE },
    pollMs: deps.pollMs,
    async look(projectId) {
      const plan = (await reviewers.plansOf([projectId])).get(projectId) ?? { mode: 'off', dailyReviews: 0 };
      if (plan.mode === 'off') return { reviewer: 'unavailable', plan, embeddingModel: null };
      const [reviewer, embeddingModel] = await Promise.all([
        reviewers.find(projectId),
        deps.embeddingModelOf(projectId),
      ]);
      return { reviewer, plan, embeddingModel };
    },
    async decide(tx, projectId, claimed, known) {
      const keys = typeof known.reviewer === 'string' ? [] : [providerKeyOf(projectId, known.reviewer.model)];
      const gates = await readProviderGates(tx, circuits, { keys, nowMs: clock.now(), lookAgainMs: LOOK_AGAIN_MS });
      const pauseOf = createAwayPauses(clock.now());
      const steps = claimed.map((row): [ClaimedReview, Step] => [row, stepOf(row, known, gates, pauseOf)]);
      await take(deps, work, tx, projectId, steps, { gates, known });
    },
    async putOffSince(projectId, some) {
      const row = await reviews.waiting(projectId, some, clock.now());
      return row?.awaySince ?? row?.wantedFrom;
    },
    putOffReason: 'budget',
  });
  return {
    start: () => work.start(),
    wake: () => work.wake(),
    release: (projectId) => work.release({ projectId, state: 'due' }),
    releaseAway: (projectId) => work.release({ projectId, state: 'due', awaySince: { $gt: 0 } }),
    async waitingOf(projectId, some) {
      const waiting = await work.waitingOf(projectId, some);
      if (waiting?.reason !== 'budget') return waiting;
      const row = await reviews.waiting(projectId, some, clock.now());
      return row?.awaySince === undefined ? waiting : { reason: 'model', since: row.awaySince };
    },
  };
}

function stepOf(
  row: ClaimedReview,
  { reviewer }: Known,
  gates: ProviderGates,
  pauseOf: ReturnType<typeof createAwayPauses>,
): Step {
  // An asked row that becomes due counts as lost.
  if (row.state === 'asked' || reviewer === 'unavailable') return { kind: 'end' };
  if (reviewer === 'away') {
    const again = pauseOf(row);
    return again === undefined ? { kind: 'end' } : { kind: 'wait', ...again };
  }
  const provider = providerKeyOf(row.projectId, reviewer.model);
  const closedUntil = gates.closedUntil(provider);
  if (closedUntil !== undefined) return { kind: 'wait', dueAt: closedUntil };
  gates.pass(provider);
  return { kind: 'ask', judge: reviewer };
}

async function take(
  { reviews, budgets, knownKinds, shownBy, outbox, clock }: AskReviewersDependencies,
  work: Pick<AskedWork<ReviewDocument>, 'rows' | 'roomOf'>,
  tx: Transaction,
  projectId: string,
  steps: readonly (readonly [ClaimedReview, Step])[],
  { gates, known }: { gates: ProviderGates; known: Known },
): Promise<void> {
  const nowMs = clock.now();
  const asking = steps.filter(([, { kind }]) => kind === 'ask');
  const wanted = Math.min(asking.length, Math.max(0, await work.roomOf(tx, projectId, nowMs)));
  const { dailyReviews } = known.plan;
  const granted = wanted === 0 ? 0 : await budgets.reserve(tx, projectId, wanted, dailyReviews, nowMs);
  const parkedUntil = new Map(
    asking.slice(granted).map(([row], index) => [row, granted + index < wanted ? nextDayMs(nowMs) : row.dueAt]),
  );
  const kinds = granted === 0 ? [] : await knownKinds(tx, projectId, MAX_KNOWN_KINDS);
  const shown = await shownBy(
    tx,
    asking.slice(0, granted).map(([row]) => row),
  );
  const messages: AnyOutboxMessage[] = [];
  const asked: ClaimedReview[] = [];
  const ended: ClaimedReview[] = [];
  for (const [row, step] of steps) {
    const dueAt = parkedUntil.get(row);
    if (dueAt !== undefined) await work.rows.settle(tx, [row], { dueAt });
    else if (step.kind === 'wait') {
      await work.rows.settle(tx, [row], { dueAt: step.dueAt });
      if (step.awaySince !== undefined) await reviews.noteAway(tx, row._id, step.awaySince);
    } else if (step.kind === 'ask') {
      await gates.ask(providerKeyOf(projectId, step.judge.model));
      messages.push(
        commandOf(row, step.judge, {
          shown: shown.get(row.snapshotId) ?? [],
          kinds,
          embeddingModel: known.embeddingModel,
          nowMs,
        }),
      );
      asked.push(row);
    } else ended.push(row);
  }
  await work.rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
  await reviews.asked(tx, asked);
  await reviews.end(tx, ended);
  await outbox.appendMany(tx, messages);
}

interface CommandContext {
  shown: readonly Occurrence[];
  kinds: string[];
  embeddingModel: string | null;
  nowMs: number;
}

function commandOf(
  { _id, projectId, conversationId, snapshotId, requestId, rounds }: ClaimedReview,
  { model, capabilities, accuracy }: Judge,
  { shown, kinds, embeddingModel, nowMs }: CommandContext,
): AnyOutboxMessage {
  const round = rounds + 1;
  return outboxMessage(reviewRequested, {
    key: `${_id}:${snapshotId}:${round}`,
    ...{ projectId, requestId, occurredAt: nowMs },
    data: {
      ...{ conversationId, snapshotId, model, accuracy, round, embeddingModel },
      capabilities,
      ...{ hints: hintsOf(shown), knownKinds: kinds },
    },
  });
}

/** Findings of the Rules as hints, the worst first. */
function hintsOf(shown: readonly Occurrence[]) {
  const worstFirst = shown.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.detection.severity) - SEVERITIES.indexOf(other.detection.severity) ||
      other.detection.diagnosticScore - one.detection.diagnosticScore,
  );
  return worstFirst.slice(0, MAX_HINTS).map(({ detection: { title, evidence, anchor } }) => ({
    stepIndex: (evidence[0]?.location ?? anchor).stepIndex,
    text: title,
  }));
}
