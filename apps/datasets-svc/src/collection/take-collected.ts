import type { collectionCompleted, collectionRequested, EnvelopeOf, Synthesis } from '@clew/contracts';
import { AppError, newId, type Clock } from '@clew/kernel';
import { isAnswered, type Database, type Inbox } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GroupCommit } from '../datasets/index.ts';
import type { ExampleStore } from '../examples/index.ts';
import { applyFinding, checkedExamples, eraseFormer, storedExamples, type DatasetWork } from './apply-plan.ts';
import type { DecisionDocument } from './decision.model.ts';
import { decisionIdOf, type Decided, type DecisionStore } from './decisions.store.ts';
import type { DecisionPlan, WantedExample } from './plan-decision.ts';
import { planSynthesis } from './plan-synthesis.ts';
import type { SynthesisStore, WantedSynthesis } from './syntheses.store.ts';

export interface TakeCollectedDependencies {
  database: Database;
  groupCommit: GroupCommit;
  decisions: DecisionStore;
  syntheses: SynthesisStore;
  examples: ExampleStore;
  inbox: Inbox;
  clock: Clock;
  logger: Logger;
  /** Tells that workers have capacity for more. */
  wake(): void;
}

type Completed = EnvelopeOf<typeof collectionCompleted>;
type Looked = Completed['data']['looks'][number];

interface Answer {
  looked: Looked;
  wanted: readonly WantedExample[];
}

type Current = Answer & { row: DecisionDocument };

/**
 * Applies what workers found, each message once: Examples, decisions and the Dataset's version in one transaction, in
 * which the policy is checked again. Where a model has to write the response, that becomes due in the same transaction.
 */
export function createTakeCollected(dependencies: TakeCollectedDependencies) {
  const { database, groupCommit, decisions, syntheses, examples, inbox, clock, logger } = dependencies;

  /** Answers that are still waited for. */
  async function currentOf(work: DatasetWork, message: Completed, answers: readonly Answer[]): Promise<Current[]> {
    const rows = await decisions.getMany(
      work.tx,
      answers.map(({ looked }) => idOf(message, looked)),
    );
    const current = answers.flatMap((answer) => {
      const row = rows.get(idOf(message, answer.looked));
      return isAnswered(row, answer.looked.round) && isAbout(row, answer.looked) ? [{ ...answer, row }] : [];
    });
    const { collectionEnabled, policy } = work.dataset;
    if (collectionEnabled && policy?.objective === message.data.objective) return current;
    // What was erased goes from a Dataset that is frozen too.
    const [erased, others] = [current.filter(isErased), current.filter((each) => !isErased(each))];
    await decisions.end(work.tx, idsOf(others));
    return erased;
  }

  async function apply(work: DatasetWork, message: Completed, answers: readonly Answer[]): Promise<void> {
    const { tx } = work;
    if ((await inbox.accept(tx, [message.id])).size === 0) return;
    await work.written();
    const current = await currentOf(work, message, answers);
    const stored = await storedExamples(work, examples, {
      rows: current.map(({ row }) => row),
      wanted: current.flatMap(({ wanted }) => wanted),
    });
    const plans: DecisionPlan[] = [];
    const decided: Decided[] = [];
    const unchanged: string[] = [];
    const wantedSyntheses: WantedSynthesis[] = [];
    for (const { row, looked, wanted } of current) {
      const { outcome, problems } = looked;
      if (outcome.status === 'to_synthesize') {
        const { status: _, ...synthesis } = outcome;
        const planned = planSynthesis(row, synthesis, { stored, policyRevision: work.dataset.policyRevision });
        if (planned.kind === 'unchanged') unchanged.push(row._id);
        else if (planned.kind === 'ask') {
          wantedSyntheses.push({ row, synthesis });
          decided.push({ ...waiting(row, synthesis), problems });
        } else {
          const plan = applyFinding(work, row, { wanted: planned.wanted, refused: null }, stored);
          decided.push({ ...decidedOf(row, plan), because: synthesis.because, redacted: row.redacted, problems });
        }
        continue;
      }
      const refused = outcome.status === 'refused' ? outcome.reason : null;
      const plan = applyFinding(work, row, { wanted, refused }, stored);
      plans.push(plan);
      const found = outcome.status === 'collected' ? outcome : { because: null, redacted: 0 };
      decided.push({
        ...decidedOf(row, plan),
        because: found.because,
        reason: refused,
        redacted: found.redacted,
        problems,
      });
    }
    await eraseFormer(work, database, examples, plans);
    await decisions.decide(tx, decided, clock.now());
    await decisions.end(tx, unchanged);
    const asked = new Set(wantedSyntheses.map(({ row }) => row._id));
    await syntheses.end(
      tx,
      decided.map(({ _id }) => _id).filter((id) => !asked.has(id)),
    );
    await syntheses.want(tx, wantedSyntheses, clock.now());
  }

  async function take(message: Completed): Promise<void> {
    const { projectId, requestId, data } = message;
    const answers = data.looks.map((looked) => answerOf(looked, logger));
    try {
      await groupCommit.change(
        { projectId, datasetId: data.datasetId },
        { requestId: requestId ?? newId('req'), weight: answers.length },
        (work) => apply(work, message, answers),
      );
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

/** Records that workers could not look at something: their command became a dead letter. */
export function createTakeGivenUp(take: ReturnType<typeof createTakeCollected>) {
  return async ({ data, ...envelope }: EnvelopeOf<typeof collectionRequested>): Promise<void> => {
    const { datasetId, objective } = data;
    const looks = data.looks.map((each) => {
      return { ...each, problems: [], outcome: { status: 'refused' as const, reason: 'worker_gave_up' as const } };
    });
    await take([{ ...envelope, id: `${envelope.id}:given-up`, data: { datasetId, objective, looks } } as Completed]);
  };
}

function idOf({ data: { datasetId, objective } }: Completed, { subject }: Looked): string {
  return decisionIdOf({ datasetId, objective, subject });
}

/** Tells whether a look was at the state that is waited for: an item is looked at as it is. */
function isAbout({ snapshotId }: DecisionDocument, { subject }: Looked): boolean {
  return subject.kind === 'item' || subject.snapshotId === snapshotId;
}

function isErased({ looked: { outcome } }: Answer): boolean {
  return outcome.status === 'refused' && outcome.reason === 'item_gone';
}

function idsOf(answers: readonly Current[]): string[] {
  return answers.map(({ row }) => row._id);
}

/** Refuses a subject alone, and not with the others of its message, if no Example can hold what it says. */
function answerOf(looked: Looked, logger: Logger): Answer {
  const { outcome, subject } = looked;
  if (outcome.status !== 'collected') return { looked, wanted: [] };
  const checked = checkedExamples(outcome.examples);
  if ('wanted' in checked) return { looked, wanted: checked.wanted };
  logger.warn({ err: checked.error, subject }, 'a collected Example is not valid');
  return { looked: { ...looked, outcome: { status: 'refused', reason: 'example_invalid' } }, wanted: [] };
}

/** Decision that waits for a model; what was collected before stays as it is. */
function waiting(row: DecisionDocument, { because }: Synthesis): Decided {
  const { _id, examples, removedKeys, redacted } = row;
  return { _id, outcome: 'to_synthesize', because, reason: null, redacted, examples, removedKeys };
}

function decidedOf({ _id }: DecisionDocument, plan: DecisionPlan) {
  return { _id, outcome: plan.outcome, reason: null, examples: plan.owned, removedKeys: plan.removedKeys };
}
