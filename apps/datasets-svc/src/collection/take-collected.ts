import type { collectionCompleted, collectionRequested, EnvelopeOf, Synthesis } from '@clew/contracts';
import { AppError, newId, type Clock } from '@clew/kernel';
import { isAnswered, type AskedWork, type Database, type Inbox } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { needsModel, type GroupCommit } from '../datasets/index.ts';
import type { ExampleStore, StoredExample } from '../examples/index.ts';
import { applyFinding, checkedExamples, eraseFormer, storedExamples, type DatasetWork } from './apply-plan.ts';
import type { DecisionDocument } from './decision.model.ts';
import type { Decided, DecisionStore } from './decisions.store.ts';
import { decisionIdOf } from './looks.store.ts';
import type { DecisionPlan, WantedExample } from './plan-decision.ts';
import { planSynthesis } from './plan-synthesis.ts';
import type { Reviews } from './reviews.ts';
import type { SynthesisStore, WantedSynthesis } from './syntheses.store.ts';

export interface TakeCollectedDependencies {
  database: Database;
  groupCommit: GroupCommit;
  decisions: DecisionStore;
  syntheses: SynthesisStore;
  examples: ExampleStore;
  inbox: Inbox;
  reviews: Pick<Reviews, 'among'>;
  rows: Pick<AskedWork<DecisionDocument>['rows'], 'makeDue'>;
  clock: Clock;
  logger: Logger;
  /** Tells that workers have capacity for more looks. */
  wakeCollectors(): void;
  /** Tells that responses may have to be written. */
  wakeWriters(): void;
}

type Completed = EnvelopeOf<typeof collectionCompleted>;
type Looked = Completed['data']['looks'][number];

/** Time before a result within which its look may have read how people had reviewed the problems. */
const LOOK_MS = 60_000;

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
  const { groupCommit, inbox, logger } = dependencies;

  async function take(message: Completed): Promise<void> {
    const { projectId, requestId, data } = message;
    const answers = data.looks.map((looked) => answerOf(looked, logger));
    try {
      await groupCommit.change(
        { projectId, datasetId: data.datasetId },
        { requestId: requestId ?? newId('req'), weight: answers.length },
        async (work) => {
          if ((await inbox.accept(work.tx, [message.id])).size > 0) await apply(dependencies, work, message, answers);
        },
      );
    } catch (error) {
      // The Dataset was deleted meanwhile, with its decisions.
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    }
    await lookAgain(dependencies, message);
  }

  return async (messages: readonly Completed[]): Promise<void> => {
    await Promise.all(messages.map(take));
    dependencies.wakeCollectors();
    if (messages.some(({ data }) => needsModel(data.objective))) dependencies.wakeWriters();
  };
}

async function apply(
  dependencies: TakeCollectedDependencies,
  work: DatasetWork,
  message: Completed,
  answers: readonly Answer[],
): Promise<void> {
  const { database, decisions, syntheses, examples, clock } = dependencies;
  const { tx } = work;
  await work.written();
  const current = await currentOf(decisions, work, message, answers);
  const rows = current.map(({ row }) => row);
  const stored = await storedExamples(work, examples, {
    rows,
    wanted: current.flatMap(({ wanted }) => wanted),
  });
  const results = current.map((each) => resultOf(work, each, stored));
  await eraseFormer(
    work,
    database,
    examples,
    results.flatMap(({ plan }) => plan ?? []),
  );
  const decided = results.flatMap((result) => result.decided ?? []);
  await decisions.decide(tx, rows, decided, clock.now());
  await decisions.end(tx, idsOf(current.filter((_, at) => results[at]?.decided === undefined)));
  if (!needsModel(message.data.objective)) return;
  const wanted = results.flatMap(({ synthesis }) => synthesis ?? []);
  const asked = new Set(wanted.map(({ row }) => row._id));
  await syntheses.end(
    tx,
    decided.map(({ _id }) => _id).filter((id) => !asked.has(id)),
  );
  await syntheses.want(tx, wanted, clock.now());
}

/**
 * Has looks repeated that were under way when a person reviewed one of their problems: then the review has found no
 * decision that remembers it. Only after the write, from which on it finds the decision, and at a repeated message too.
 */
async function lookAgain({ reviews, rows, clock }: TakeCollectedDependencies, message: Completed): Promise<void> {
  const { looks } = message.data;
  const problems = looks.flatMap((looked) => looked.problems);
  const isReviewedOtherwise = await reviews.among(problems, message.occurredAt - LOOK_MS);
  const again = looks.filter((looked) => looked.problems.some(isReviewedOtherwise));
  if (again.length === 0) return;
  await rows.makeDue({ _id: { $in: again.map((looked) => idOf(message, looked)) } }, clock.now());
}

/** Finds the answers that are still waited for. */
async function currentOf(
  decisions: DecisionStore,
  work: DatasetWork,
  message: Completed,
  answers: readonly Answer[],
): Promise<Current[]> {
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
  // Erased words go from a Dataset that is frozen too.
  const [erased, others] = [current.filter(isErased), current.filter((each) => !isErased(each))];
  await decisions.end(work.tx, idsOf(others));
  return erased;
}

/** Meaning of an answer: a decision, or none where it stays as it is, and a response to ask for. */
interface Result {
  decided?: Decided;
  plan?: DecisionPlan;
  synthesis?: WantedSynthesis;
}

/** Makes the changes of the Dataset that follow from an answer. */
function resultOf(
  work: DatasetWork,
  { row, looked, wanted }: Current,
  stored: ReadonlyMap<string, StoredExample>,
): Result {
  const { outcome, problems } = looked;
  if (outcome.status === 'to_synthesize') {
    const { status: _, ...synthesis } = outcome;
    const planned = planSynthesis(row, synthesis, { stored, policyRevision: work.dataset.policyRevision });
    if (planned.kind === 'unchanged') return {};
    if (planned.kind === 'ask')
      return { decided: { ...waiting(row, synthesis), problems }, synthesis: { row, synthesis } };
    const plan = applyFinding(work, row, { wanted: planned.wanted, refused: null }, stored);
    return { decided: { ...decidedOf(row, plan), because: synthesis.because, redacted: row.redacted, problems } };
  }
  const reason = outcome.status === 'refused' ? outcome.reason : null;
  const plan = applyFinding(work, row, { wanted, refused: reason }, stored);
  const { because, redacted } = outcome.status === 'collected' ? outcome : { because: null, redacted: 0 };
  return { decided: { ...decidedOf(row, plan), because, reason, redacted, problems }, plan };
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
