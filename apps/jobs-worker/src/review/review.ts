import {
  reviewCompleted,
  type ConversationSnapshot,
  type EnvelopeOf,
  type ReviewedProblem,
  type reviewRequested,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import { readConversation, type AskModel, type Question } from '@clew/review';
import { offeredIn } from '@clew/rules';
import type { z } from 'zod';
import { embeddedTexts } from '../embedded-texts.ts';
import { requestIdOf, resultEnvelope } from '../envelopes.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';

export interface ReviewDependencies {
  warehouse: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  /** Places for reviews only. */
  inPlace: ModelPlaces;
}

type ReviewCommand = EnvelopeOf<typeof reviewRequested>;
type Outcome = EnvelopeOf<typeof reviewCompleted>['data']['outcome'];
type ReviewContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Token budget of a review with its second look and repairs, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 300_000;

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
        return reviewFailureOf(error);
      }
    });
    context.signal.throwIfAborted();
    if (outcome.status !== 'reviewed') context.logger.info({ outcome }, 'a conversation was not reviewed');
    const { conversationId, snapshotId, model, accuracy, round } = command.data;
    await publisher.publish(reviewCompleted, {
      ...resultEnvelope(command, reviewCompleted, clock.now()),
      data: {
        ...{ conversationId, snapshotId, model, accuracy, round },
        ...{ calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
      },
    });
  };
}

/** A model that cannot be used just now may be back later, and the review waits for it. */
function reviewFailureOf(error: InferenceError): Outcome {
  const failure = modelFailureOf(error);
  if (error.code !== 'MODEL_UNAVAILABLE') return failure;
  return { status: 'later', reason: failure.reason, retryAfterMs: null, isBudget: false };
}

type CallContext = Pick<MessageContext, 'signal' | 'heartbeat'> & { budget: TokenBudget };

async function read(
  inference: InferenceClient,
  command: ReviewCommand,
  snapshot: ConversationSnapshot,
  context: CallContext,
): Promise<Outcome> {
  const { capabilities, hints, knownKinds } = command.data;
  const call = callOf(command, context);
  const reading = await readConversation(askerOf(inference, command, call), snapshot, {
    ...{ hints, knownKinds },
    contextLength: capabilities?.contextLength ?? null,
  });
  const { revision, startedAt, throughMs, agents, messages } = snapshot;
  const expiredThrough = messages.findLast(({ textExpired }) => textExpired === true)?.index;
  return {
    status: 'reviewed',
    ...reading,
    snapshot: {
      ...{ revision, startedAt, throughMs, agents, offered: offeredIn(snapshot) },
      ...(expiredThrough === undefined ? {} : { expiredThrough }),
    },
    problems: await embedded(inference, command, reading.problems, call),
  };
}

type ModelCall = ReturnType<typeof callOf>;

function callOf(command: ReviewCommand, { signal, heartbeat, budget }: CallContext) {
  const { projectId, data } = command;
  const { model, capabilities } = data;
  return {
    ...{ projectId, model, capabilities, temperature: 0, purpose: 'judgement' as const, budget, signal, heartbeat },
    ...requestIdOf(command),
  };
}

/** Asks the model of a command. A second look that fails is left out: the review that was paid for counts. */
function askerOf(inference: InferenceClient, command: ReviewCommand, call: ModelCall): AskModel {
  return (async ({ name, messages, ...question }: Question<z.ZodType>) => {
    try {
      const idempotencyKey = name === 'review' ? command.id : `${command.id}:${name}`;
      const options = { ...call, ...question, messages: [...messages], idempotencyKey };
      return (await inference.json(options)).value;
    } catch (error) {
      if (name === 'review' || !(error instanceof InferenceError)) throw error;
      return undefined;
    }
  }) as AskModel;
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
