import type { EnvelopeOf, RefusalReason, synthesisCompleted, synthesisRequested } from '@clew/contracts';
import { AppError, newId, type Clock } from '@clew/kernel';
import {
  afterLater,
  isAnswered,
  noteAnswers,
  type Circuits,
  type DailyBudget,
  type Database,
  type Inbox,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GroupCommit } from '../datasets/index.ts';
import type { ExampleStore } from '../examples/index.ts';
import { applyFinding, checkedExamples, eraseFormer, storedExamples, type DatasetWork } from './apply-plan.ts';
import type { DecisionDocument } from './decision.model.ts';
import type { DecisionStore } from './decisions.store.ts';
import { decisionIdOf } from './looks.store.ts';
import type { WantedExample } from './plan-decision.ts';
import { refusedBasis } from './plan-synthesis.ts';
import type { SynthesisStore } from './syntheses.store.ts';
import { budgetOwner, type SynthesisBudgetRow, type SynthesisDocument } from './synthesis.model.ts';

export interface TakeSynthesizedDependencies {
  database: Database;
  groupCommit: GroupCommit;
  decisions: DecisionStore;
  syntheses: SynthesisStore;
  examples: ExampleStore;
  budget: DailyBudget<SynthesisBudgetRow>;
  circuits: Circuits;
  inbox: Inbox;
  clock: Clock;
  logger: Logger;
  /** Makes due what waited for a provider that answers again. */
  afterRecovery(projectId: string): Promise<void>;
  /** Tells that workers have capacity for more. */
  wake(): void;
}

type Completed = EnvelopeOf<typeof synthesisCompleted>;
type Outcome = Completed['data']['outcome'];
type Found =
  | { wanted: readonly WantedExample[]; refused: null; redacted: number }
  | { wanted: []; refused: RefusalReason; redacted: 0 };

/**
 * Applies the responses that models wrote, each message once, in the transaction of their Dataset, in which the policy
 * is checked again. A model that could not be asked is asked later.
 */
export function createTakeSynthesized(dependencies: TakeSynthesizedDependencies) {
  const { database, groupCommit, decisions, syntheses, examples, budget, circuits, inbox, clock, logger } =
    dependencies;

  async function decide(
    work: DatasetWork,
    { row, waiting }: { row: DecisionDocument; waiting: SynthesisDocument },
    { data }: Completed,
    { wanted, refused, redacted }: Found,
  ): Promise<void> {
    const { because, basis } = waiting.synthesis;
    const stored = await storedExamples(work, examples, { rows: [row], wanted });
    const plan = applyFinding(work, row, { wanted, refused }, stored);
    await eraseFormer(work, database, examples, [plan]);
    const decided = {
      ...{ _id: row._id, outcome: plan.outcome, examples: plan.owned, removedKeys: plan.removedKeys, redacted },
      ...{ because: refused === null ? because : null, reason: refused, model: data.model },
      basis: refused === null ? basis : basisOfRefusal(refused, basis, work.dataset.policyRevision),
    };
    await decisions.complete(work.tx, decided, clock.now());
    await syntheses.end(work.tx, [row._id]);
  }

  /** Applies an answer; resolves with true if its provider answers again after a pause. */
  async function apply(work: DatasetWork, message: Completed): Promise<boolean> {
    const { tx, dataset } = work;
    const { data } = message;
    if ((await inbox.accept(tx, [message.id])).size === 0) return false;
    const nowMs = clock.now();
    if (data.calls === 0) await budget.correct(tx, budgetOwner({ ...message, ...data }), -1, nowMs);
    const isRecovery = await noteAnswers(tx, circuits, [message], nowMs);
    await work.written();
    const id = decisionIdOf(data);
    const waiting = await syntheses.get(tx, id);
    const row = (await decisions.getMany(tx, [id])).get(id);
    if (!isAnswered(waiting, data.tries) || waiting.round !== data.round || row === undefined) return isRecovery;
    if (!dataset.collectionEnabled || dataset.policy?.objective !== data.objective) {
      await decisions.refuseWaiting(tx, [row], nowMs);
      await syntheses.end(tx, [id]);
      return isRecovery;
    }
    const again = data.outcome.status === 'later' ? afterLater(waiting, data.outcome, nowMs) : undefined;
    if (again === undefined) await decide(work, { row, waiting }, message, foundIn(data.outcome, logger));
    else await syntheses.putBack(tx, id, again);
    return isRecovery;
  }

  async function take(message: Completed): Promise<void> {
    const { projectId, requestId, data } = message;
    try {
      const isRecovery = await groupCommit.change(
        { projectId, datasetId: data.datasetId },
        { requestId: requestId ?? newId('req') },
        (work) => apply(work, message),
      );
      if (isRecovery) await dependencies.afterRecovery(projectId);
    } catch (error) {
      // The Dataset was deleted meanwhile, with its decisions.
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    }
  }

  return async (messages: readonly Completed[]): Promise<void> => {
    await Promise.all(messages.map(take));
    dependencies.wake();
  };
}

/** Refuses what workers could not have written: their command became a dead letter. */
export function createTakeGivenUpSyntheses(take: ReturnType<typeof createTakeSynthesized>) {
  return async ({ data, ...envelope }: EnvelopeOf<typeof synthesisRequested>): Promise<void> => {
    const { redaction: _, capabilities: __, ...asked } = data;
    const outcome = { status: 'failed', reason: 'The worker gave it up' } as const;
    await take([
      { ...envelope, id: `${envelope.id}:given-up`, data: { ...asked, calls: 0, tokens: 0, outcome } } as Completed,
    ]);
  };
}

function foundIn(outcome: Outcome, logger: Logger): Found {
  if (outcome.status === 'refused') return refused(outcome.reason);
  if (outcome.status !== 'collected') {
    logger.info({ reason: outcome.reason }, 'a response was not written');
    return refused('model_failed');
  }
  const checked = checkedExamples(outcome.examples);
  if ('wanted' in checked) return { wanted: checked.wanted, refused: null, redacted: outcome.redacted };
  logger.warn({ err: checked.error }, 'a synthesized Example is not valid');
  return refused('example_invalid');
}

/** Reasons that say nothing of a model: what was to be written from is no longer there, or could not be read. */
const NOT_BY_MODEL: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  ...(['conversation_gone', 'not_analysed', 'words_expired', 'item_gone', 'not_active'] as const),
  ...(['no_grave_problem', 'no_user_correction', 'no_step_to_correct'] as const),
]);

/** Remembers what a model refused, so that it is not asked for the same again. */
function basisOfRefusal(reason: RefusalReason, basis: string, policyRevision: number): string | null {
  return NOT_BY_MODEL.has(reason) ? null : refusedBasis(basis, policyRevision);
}

function refused(reason: RefusalReason): Found {
  return { wanted: [], refused: reason, redacted: 0 };
}
