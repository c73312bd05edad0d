import {
  providerKeyOf,
  type adjudicationCompleted,
  type adjudicationRequested,
  type EnvelopeOf,
} from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Circuits, Database, Inbox, Transaction } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { AdjudicationDocument, VerdictDocument } from './adjudication.model.ts';
import { adjudicationIdOf, MAX_FAILURES, nextDayMs, verdictIdOf } from './adjudication.ts';
import type { AdjudicationStore } from './adjudications.store.ts';
import { triedAgainAt } from './ask-judges.ts';
import type { BudgetStore } from './budget.store.ts';
import type { VerdictWriter } from './verdict-writer.ts';

type Completed = EnvelopeOf<typeof adjudicationCompleted>;

export interface TakeVerdictsDependencies {
  database: Database;
  inbox: Inbox;
  adjudications: AdjudicationStore;
  budgets: BudgetStore;
  /** Of the providers of the projects. */
  circuits: Circuits;
  verdicts: VerdictWriter;
  /** Leaves out conversations that were erased. */
  withoutErased: <One extends Pick<VerdictDocument, 'projectId' | 'conversationId'>>(
    some: readonly One[],
  ) => Promise<One[]>;
  clock: Clock;
  logger: Logger;
  /** Providers of a project answer that did not for a while. */
  afterRecovery(projectId: string): Promise<void>;
  /** Workers have room for more. */
  wake(): void;
}

/** Takes what judges said: each message once, whatever happens to whoever brings it. */
export function createTakeVerdicts(dependencies: TakeVerdictsDependencies) {
  const { database, inbox, adjudications, budgets, circuits, verdicts, clock, logger, withoutErased } = dependencies;

  async function putBack(
    tx: Transaction,
    row: AdjudicationDocument,
    outcome: Extract<Completed['data']['outcome'], { status: 'later' }>,
  ): Promise<void> {
    const nowMs = clock.now();
    const { reason, retryAfterMs, isBudget, isUntried = false } = outcome;
    if (isUntried) {
      const next = { dueAt: nowMs + (retryAfterMs ?? 0), failures: row.failures };
      return await adjudications.putBack(tx, row._id, next);
    }
    // A day without budget is no failure: the work waits for the next one, however many there are.
    const failures = isBudget ? row.failures : row.failures + 1;
    if (failures > MAX_FAILURES) {
      logger.warn({ adjudication: row._id, reason }, 'an adjudication was given up');
      return await adjudications.endAsked(tx, row._id);
    }
    const dueAt = isBudget
      ? nowMs + (retryAfterMs ?? nextDayMs(nowMs) - nowMs)
      : triedAgainAt(nowMs, failures, retryAfterMs ?? 0);
    await adjudications.putBack(tx, row._id, { dueAt, failures });
  }

  async function take(tx: Transaction, { projectId, requestId, data }: Completed): Promise<void> {
    const { conversationId, snapshotId, rule, model, accuracy, calls, tokens, round, outcome } = data;
    const target = { projectId, conversationId, snapshotId, rule };
    const id = adjudicationIdOf(target);
    await budgets.correct(tx, projectId, calls - 1, clock.now());
    const [left] = await withoutErased([{ projectId, conversationId }]);
    if (left === undefined) return await adjudications.endAsked(tx, id);
    if (outcome.status === 'judged') {
      const verdict: VerdictDocument = {
        ...{ _id: verdictIdOf(target, model), projectId, conversationId, snapshotId },
        ...{ ruleId: rule.ruleId, revision: rule.revision ?? null, model, accuracy },
        ...{ verdicts: outcome.verdicts, calls, tokens, createdAt: clock.now() },
      };
      await adjudications.keepVerdict(tx, verdict);
      await verdicts.apply(tx, verdict, requestId);
      return await adjudications.endAsked(tx, id);
    }
    const row = await adjudications.get(tx, id);
    // What was asked for anew meanwhile has an answer of its own.
    if (row?.state !== 'asked' || row.rounds !== round) return;
    if (outcome.status === 'later') return await putBack(tx, row, outcome);
    logger.warn({ adjudication: id, reason: outcome.reason }, 'an adjudication failed');
    await adjudications.endAsked(tx, id);
  }

  /** Takes note of whether the judge answered; tells whether it does again. */
  async function noteAnswer(tx: Transaction, { projectId, data }: Completed): Promise<boolean> {
    const { model, calls, outcome } = data;
    const provider = providerKeyOf(projectId, model);
    if (calls > 0) return await circuits.answered(tx, provider);
    const isLate = outcome.status === 'later' && outcome.isTimeout === true;
    if (isLate) await circuits.timedOut(tx, provider, 1, clock.now());
    return false;
  }

  return async (message: Completed): Promise<void> => {
    const isRecovery = await database.withTransaction(async (tx) => {
      const fresh = await inbox.accept(tx, [message.id]);
      if (fresh.size === 0) return false;
      await take(tx, message);
      return await noteAnswer(tx, message);
    });
    if (isRecovery) await dependencies.afterRecovery(message.projectId);
    dependencies.wake();
  };
}

/** Ends what ended in the dead letters: the deterministic result stands. When the command is sent again, its result counts. */
export function createEndGivenUp({
  database,
  adjudications,
}: Pick<TakeVerdictsDependencies, 'database' | 'adjudications'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof adjudicationRequested>): Promise<void> => {
    const { conversationId, snapshotId, rule } = data;
    const id = adjudicationIdOf({ projectId, conversationId, snapshotId, rule });
    await database.withTransaction((tx) => adjudications.endAsked(tx, id));
  };
}
