import { reviewCompleted, type ConversationSnapshot, type EnvelopeOf, type ReviewedProblem } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import { shorten } from '@clew/rules';
import { embeddedTexts } from '../embedded-texts.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { isTaintedForJudge } from '../tainted-message.ts';
import { checkedProblems } from './problems.ts';
import { ReviewAnswer, ScepticAnswer } from './review-answer.ts';
import { maxAnswerTokensOf, maxCharactersOf, reviewPrompt, type ReviewCommand } from './review-prompt.ts';
import { scepticPrompt } from './sceptic-prompt.ts';
import { afterSecondLook, needsSecondLook, unconfirmed, type LookedAt } from './second-look.ts';

export interface ReviewDependencies {
  warehouse: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  /** Places for reviews only. */
  inPlace: ModelPlaces;
}

type Outcome = EnvelopeOf<typeof reviewCompleted>['data']['outcome'];
type ReviewContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Token budget of a review with its second look and repairs, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 300_000;
const MAX_WANTED = 1_000;

/**
 * Has a model read a conversation, and publishes what it found to the owner of the command. Only problems with exact
 * quotes count, and a grave one only if a second look confirms it. A model failure is reported as an outcome, and the
 * owner decides when to ask again.
 */
export function createReview(dependencies: ReviewDependencies) {
  const { warehouse, publisher, clock, inPlace } = dependencies;
  return async (command: ReviewCommand, context: ReviewContext): Promise<void> => {
    const budget = createTokenBudget(MAX_TOKENS);
    const outcome = await inPlace(command, context, async (): Promise<Outcome> => {
      const snapshot = await readSnapshot(warehouse, command, context.signal);
      if (snapshot === undefined) return { status: 'failed', reason: 'The snapshot no longer exists' };
      try {
        return await read(dependencies.inference, command, snapshot, { ...context, budget });
      } catch (error) {
        if (!(error instanceof InferenceError)) throw error;
        return modelFailureOf(error);
      }
    });
    context.signal.throwIfAborted();
    if (outcome.status !== 'reviewed') context.logger.info({ outcome }, 'a conversation was not reviewed');
    const { conversationId, snapshotId, model, accuracy, round } = command.data;
    await publisher.publish(reviewCompleted, {
      // One command has one result id, so the owner applies the result once, however often the command was processed.
      id: `${reviewCompleted.type}:${command.id}`,
      type: reviewCompleted.type,
      version: reviewCompleted.version,
      occurredAt: clock.now(),
      projectId: command.projectId,
      requestId: command.requestId,
      data: {
        ...{ conversationId, snapshotId, model, accuracy, round },
        ...{ calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
      },
    });
  };
}

type CallContext = Pick<MessageContext, 'signal' | 'heartbeat'> & { budget: TokenBudget };

async function read(
  inference: InferenceClient,
  command: ReviewCommand,
  snapshot: ConversationSnapshot,
  context: CallContext,
): Promise<Outcome> {
  const { capabilities, hints } = command.data;
  const question = reviewPrompt(snapshot, hints, capabilities?.contextLength ?? null);
  const call = callOf(command, context);
  const { value: answer } = await inference.json({
    ...{ ...call, schema: ReviewAnswer, messages: question.messages, idempotencyKey: command.id },
  });
  const { problems: found, dropped } = checkedProblems(answer, snapshot);
  const { problems, refuted } = await lookedAtTwice(inference, command, snapshot, { found, call });
  const { revision, startedAt, throughMs, agents, messages } = snapshot;
  const expiredThrough = messages.findLast(({ textExpired }) => textExpired === true)?.index;
  return {
    status: 'reviewed',
    snapshot: { revision, startedAt, throughMs, agents, ...(expiredThrough === undefined ? {} : { expiredThrough }) },
    wanted: shorten(answer.wanted, MAX_WANTED),
    verdict: answer.verdict,
    failureProbability: Math.min(1, Math.max(0, answer.failureProbability)),
    problems: await embedded(inference, command, problems, call),
    ...{ dropped, refuted, isTainted: question.shown.some(isTaintedForJudge) },
  };
}

type ModelCall = ReturnType<typeof callOf>;

function callOf({ projectId, requestId, data }: ReviewCommand, { signal, heartbeat, budget }: CallContext) {
  const { model, capabilities } = data;
  return {
    ...{ projectId, model, capabilities, temperature: 0, purpose: 'judgement' as const, budget, signal, heartbeat },
    maxTokens: maxAnswerTokensOf(capabilities?.contextLength ?? null),
    ...(requestId === null ? {} : { requestId }),
  };
}

/**
 * Asks a sceptic about the grave problems. If the model fails, they are not confirmed: the review that was paid for
 * counts as it is.
 */
async function lookedAtTwice(
  inference: InferenceClient,
  command: ReviewCommand,
  snapshot: ConversationSnapshot,
  { found, call }: { found: ReviewedProblem[]; call: ModelCall },
): Promise<LookedAt> {
  const grave = found.filter(needsSecondLook);
  if (grave.length === 0) return { problems: found, refuted: 0 };
  const room = maxCharactersOf(command.data.capabilities?.contextLength ?? null);
  try {
    const { value } = await inference.json({
      ...{ ...call, schema: ScepticAnswer, messages: scepticPrompt(snapshot, grave, room) },
      idempotencyKey: `${command.id}:second-look`,
    });
    return afterSecondLook(found, grave, value);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    return {
      problems: found.map((problem) => (needsSecondLook(problem) ? unconfirmed(problem) : problem)),
      refuted: 0,
    };
  }
}

/** Adds the embedding of each problem's kind, by which equal problems of other conversations are found. */
async function embedded(
  inference: InferenceClient,
  { data: { embeddingModel } }: ReviewCommand,
  problems: readonly ReviewedProblem[],
  call: ModelCall,
): Promise<ReviewedProblem[]> {
  if (embeddingModel === null || problems.length === 0) return [...problems];
  const texts = problems.map(({ kind, title }) => `${title}\n${kind}`);
  const vectors = await embeddedTexts(inference, embeddingModel, texts, call);
  return problems.map((problem, position) => {
    const vector = vectors[position];
    return vector === undefined ? problem : { ...problem, embedding: { model: embeddingModel, vector } };
  });
}
