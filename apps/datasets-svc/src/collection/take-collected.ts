import { ZodError } from 'zod';
import { NewExample, type collectionCompleted, type collectionRequested, type EnvelopeOf } from '@clew/contracts';
import { AppError, newId, type Clock } from '@clew/kernel';
import { isAnswered, type Inbox } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GroupCommit } from '../datasets/index.ts';
import { draftExample, UnfitExampleError, type ExampleStore } from '../examples/index.ts';
import type { DecisionDocument } from './decision.model.ts';
import { decisionIdOf, type Decided, type DecisionStore } from './decisions.store.ts';
import { collectedIdOf, planDecision, type DecisionPlan, type WantedExample } from './plan-decision.ts';

export interface TakeCollectedDependencies {
  groupCommit: GroupCommit;
  decisions: DecisionStore;
  examples: ExampleStore;
  inbox: Inbox;
  clock: Clock;
  logger: Logger;
  /** Tells that workers have capacity for more. */
  wake(): void;
}

type Completed = EnvelopeOf<typeof collectionCompleted>;
type Looked = Completed['data']['conversations'][number];
type DatasetWork = Parameters<Parameters<GroupCommit['change']>[2]>[0];

interface Answer {
  looked: Looked;
  wanted: readonly WantedExample[];
}

/**
 * Applies what workers found, each message once: Examples, decisions and the Dataset's version in one transaction, in
 * which the policy is checked again.
 */
export function createTakeCollected(dependencies: TakeCollectedDependencies) {
  const { groupCommit, decisions, examples, inbox, clock, logger } = dependencies;

  async function apply(work: DatasetWork, message: Completed, answers: readonly Answer[]): Promise<void> {
    const { tx, key, dataset } = work;
    if ((await inbox.accept(tx, [message.id])).size === 0) return;
    const { objective } = message.data;
    await work.written();
    const rows = await decisions.getMany(
      tx,
      answers.map(({ looked }) => idOf(message, looked)),
    );
    const current = answers.flatMap((answer) => {
      const row = rows.get(idOf(message, answer.looked));
      const isCurrent = isAnswered(row, answer.looked.round) && row.snapshotId === answer.looked.snapshotId;
      return isCurrent ? [{ ...answer, row }] : [];
    });
    if (!dataset.collectionEnabled || dataset.policy?.objective !== objective) {
      await decisions.end(
        tx,
        current.map(({ row }) => row._id),
      );
      return;
    }
    const ids = current.flatMap(({ row, wanted }) => [
      ...row.examples.map(({ id }) => id),
      ...wanted.map(({ derivationKey }) => collectedIdOf(key.datasetId, derivationKey)),
    ]);
    const stored = await examples.getMany(tx, key, [...new Set(ids)]);
    const decided = current.map(({ row, looked, wanted }) => {
      const { outcome } = looked;
      const plan = planDecision({
        ...{ datasetId: key.datasetId, owned: row.examples, removedKeys: row.removedKeys, wanted, stored },
        refused: outcome.status === 'refused' ? outcome.reason : null,
      });
      write(work, plan);
      return decidedOf(row, looked, plan);
    });
    await decisions.decide(tx, decided, clock.now());
  }

  async function take(message: Completed): Promise<void> {
    const { projectId, requestId, data } = message;
    const answers = data.conversations.map((looked) => answerOf(looked, logger));
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

/** Records that workers could not look at conversations: their command became a dead letter. */
export function createTakeGivenUp(take: ReturnType<typeof createTakeCollected>) {
  return async ({ data, ...envelope }: EnvelopeOf<typeof collectionRequested>): Promise<void> => {
    const { datasetId, objective } = data;
    const conversations = data.conversations.map((each) => {
      return { ...each, problems: [], outcome: { status: 'refused' as const, reason: 'worker_gave_up' as const } };
    });
    await take([
      { ...envelope, id: `${envelope.id}:given-up`, data: { datasetId, objective, conversations } } as Completed,
    ]);
  };
}

function idOf({ projectId, data: { datasetId, objective } }: Completed, { conversationId }: Looked): string {
  return decisionIdOf({ projectId, datasetId, objective, conversationId });
}

/**
 * Checks the Examples that a worker made as those of callers are checked: a conversation may hold what none can, such as
 * half a character. It is refused alone, and not with the others of its message.
 */
function answerOf(looked: Looked, logger: Logger): Answer {
  const { outcome, conversationId } = looked;
  if (outcome.status === 'refused') return { looked, wanted: [] };
  try {
    const wanted = outcome.examples.map(({ derivationKey, example }) => {
      return { derivationKey, draft: draftExample(NewExample.parse(example)) };
    });
    return { looked, wanted };
  } catch (error) {
    if (!(error instanceof UnfitExampleError) && !(error instanceof ZodError)) throw error;
    logger.warn({ err: error, conversationId }, 'a collected Example is not valid');
    return { looked: { ...looked, outcome: { status: 'refused', reason: 'example_invalid' } }, wanted: [] };
  }
}

function write(work: DatasetWork, { inserted, replaced, removed }: DecisionPlan): void {
  for (const { id, draft } of inserted) work.insert(draft, id);
  for (const { example, draft } of replaced) work.replace(example, draft);
  for (const example of removed) work.remove(example);
}

function decidedOf(row: DecisionDocument, { outcome, problems }: Looked, plan: DecisionPlan): Decided {
  const isCollected = outcome.status === 'collected';
  return {
    _id: row._id,
    outcome: plan.outcome,
    because: isCollected ? outcome.because : null,
    reason: isCollected ? null : outcome.reason,
    redacted: isCollected ? outcome.redacted : 0,
    ...{ examples: plan.owned, removedKeys: plan.removedKeys, problems },
  };
}
