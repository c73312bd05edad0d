import type { adjudicationCompleted, adjudicationRequested, EnvelopeOf } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  afterLater,
  createTakeAnswers,
  isAnswered,
  type Circuits,
  type Database,
  type Inbox,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { VerdictDocument } from './adjudication.model.ts';
import { adjudicationIdOf, verdictIdOf } from './adjudication.ts';
import type { AdjudicationStore } from './adjudications.store.ts';
import type { BudgetStore } from './budget.store.ts';
import type { VerdictWriter } from './verdict-writer.ts';

type Completed = EnvelopeOf<typeof adjudicationCompleted>;

export interface TakeVerdictsDependencies {
  database: Database;
  inbox: Inbox;
  adjudications: AdjudicationStore;
  budgets: BudgetStore;
  /** Circuits of the projects' providers. */
  circuits: Circuits;
  verdicts: VerdictWriter;
  /** Drops conversations that were erased. */
  withoutErased: <One extends Pick<VerdictDocument, 'projectId' | 'conversationId'>>(
    some: readonly One[],
  ) => Promise<One[]>;
  clock: Clock;
  logger: Logger;
  /** Reports that a provider of the project answers again. */
  afterRecovery(projectId: string): Promise<void>;
  /** Wakes the loop that asks judges, because workers have room for more. */
  wake(): void;
}

/** Applies the answers of judges, each message once. */
export function createTakeVerdicts(dependencies: TakeVerdictsDependencies) {
  const { adjudications, budgets, verdicts, clock, logger, withoutErased } = dependencies;

  async function take(tx: Transaction, { projectId, requestId, data }: Completed): Promise<void> {
    const { conversationId, snapshotId, rule, model, accuracy, calls, tokens, round, outcome } = data;
    const nowMs = clock.now();
    const target = { projectId, conversationId, snapshotId, rule };
    const id = adjudicationIdOf(target);
    await budgets.correct(tx, projectId, calls - 1, nowMs);
    const [left] = await withoutErased([{ projectId, conversationId }]);
    if (left === undefined) return await adjudications.endAsked(tx, id);
    if (outcome.status === 'judged') {
      const verdict: VerdictDocument = {
        ...{ _id: verdictIdOf(target, model), projectId, conversationId, snapshotId },
        ...{ ruleId: rule.ruleId, revision: rule.revision ?? null, model, accuracy },
        ...{ verdicts: outcome.verdicts, calls, tokens, createdAt: nowMs },
      };
      await adjudications.keepVerdict(tx, verdict);
      await verdicts.apply(tx, verdict, requestId);
      return await adjudications.endAsked(tx, id);
    }
    const row = await adjudications.get(tx, id);
    if (!isAnswered(row, round)) return;
    const again = outcome.status === 'later' ? afterLater(row, outcome, nowMs) : undefined;
    if (again !== undefined) return await adjudications.putBack(tx, id, again);
    logger.warn({ adjudication: id, reason: outcome.reason }, 'an adjudication failed');
    await adjudications.endAsked(tx, id);
  }

  const takeAll = createTakeAnswers<Completed, undefined, undefined>({
    ...dependencies,
    prepare: async () => undefined,
    async take(tx, _projectId, fresh) {
      for (const message of fresh) await take(tx, message);
      return undefined;
    },
    taken: async () => undefined,
  });
  return async (message: Completed): Promise<void> => takeAll([message]);
}

/**
 * Ends an adjudication whose command became a dead letter: the result of the Rule stands. If the command is sent again,
 * its verdict still counts.
 */
export function createEndGivenUp({
  database,
  adjudications,
}: Pick<TakeVerdictsDependencies, 'database' | 'adjudications'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof adjudicationRequested>): Promise<void> => {
    const { conversationId, snapshotId, rule, round } = data;
    const id = adjudicationIdOf({ projectId, conversationId, snapshotId, rule });
    await database.withTransaction(async (tx) => {
      if (isAnswered(await adjudications.get(tx, id), round)) await adjudications.endAsked(tx, id);
    });
  };
}
