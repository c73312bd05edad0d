import { synthesisCompleted, type EnvelopeOf, type synthesisRequested } from '@clew/contracts';
import { synthesizeFromConversation, synthesizeFromItem, type AskModel, type Question } from '@clew/collection';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import type { z } from 'zod';
import { requestIdOf, resultEnvelope } from '../envelopes.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { readDiagnosed, readItems } from './read-subjects.ts';

export interface SynthesizeDependencies {
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  /** Places for syntheses only. */
  inPlace: ModelPlaces;
}

type SynthesisCommand = EnvelopeOf<typeof synthesisRequested>;
type Outcome = EnvelopeOf<typeof synthesisCompleted>['data']['outcome'];
type SynthesizeContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Token budget of a response with its second look and repairs, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 300_000;

/**
 * Has a model write the response of one Example, and publishes the Example, or why there is none, to the owner of the
 * command. Conversation, diagnosis and item are read again, because what was found at the look may no longer stand. A
 * model failure is reported as an outcome, and the owner decides when to ask again.
 */
export function createSynthesize(dependencies: SynthesizeDependencies) {
  const { publisher, clock, inPlace } = dependencies;
  return async (command: SynthesisCommand, context: SynthesizeContext): Promise<void> => {
    const budget = createTokenBudget(MAX_TOKENS);
    const outcome = await inPlace(command, context, async (): Promise<Outcome> => {
      try {
        return await synthesize(dependencies, command, { ...context, budget });
      } catch (error) {
        if (!(error instanceof InferenceError)) throw error;
        return modelFailureOf(error);
      }
    });
    context.signal.throwIfAborted();
    const { status } = outcome;
    if (status === 'failed' || status === 'later') context.logger.info({ outcome }, 'no response was written');
    const { capabilities: _, redaction: _redaction, ...asked } = command.data;
    await publisher.publish(synthesisCompleted, {
      ...resultEnvelope(command, synthesisCompleted, clock.now()),
      data: { ...asked, calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
    });
  };
}

async function synthesize(
  { warehouse, diagnostics, knowledge, inference, clock }: SynthesizeDependencies,
  command: SynthesisCommand,
  context: SynthesizeContext & { budget: TokenBudget },
): Promise<Outcome> {
  const { datasetId, objective, subject, synthesis, redaction, model, capabilities } = command.data;
  const options = { datasetId, redaction, model, contextLength: capabilities?.contextLength ?? null };
  const ask = askerOf(inference, command, context);
  if (subject.kind === 'item') {
    const item = (await readItems(knowledge, command, [subject.itemId])).get(subject.itemId);
    return outcomeOf(await synthesizeFromItem(ask, item, { ...options, nowMs: clock.now() }));
  }
  const { conversationId, snapshotId } = subject;
  const snapshot = await readSnapshot(warehouse, { ...command, data: { snapshotId } }, context.signal);
  if (snapshot === undefined) return { status: 'refused', reason: 'conversation_gone' };
  const diagnosed = (await readDiagnosed(diagnostics, command, [conversationId])).get(conversationId);
  return outcomeOf(await synthesizeFromConversation(ask, { objective, snapshot, diagnosed, synthesis }, options));
}

function outcomeOf(synthesized: Awaited<ReturnType<typeof synthesizeFromItem>>): Outcome {
  return synthesized.status === 'refused' ? synthesized : { ...synthesized, examples: [...synthesized.examples] };
}

/** Asks the model of a command. A second look that fails is left out: the response that was paid for counts. */
function askerOf(
  inference: InferenceClient,
  command: SynthesisCommand,
  { signal, heartbeat, logger, budget }: SynthesizeContext & { budget: TokenBudget },
): AskModel {
  const { model, capabilities } = command.data;
  const call = { projectId: command.projectId, model, capabilities, temperature: 0, budget, signal, heartbeat };
  return (async ({ name, messages, ...question }: Question<z.ZodType>) => {
    const isFirst = name === 'synthesis';
    const keyed = isFirst
      ? { idempotencyKey: command.id }
      : { idempotencyKey: `${command.id}:${name}`, purpose: 'judgement' as const };
    try {
      const options = { ...call, ...keyed, ...question, messages: [...messages], ...requestIdOf(command) };
      return (await inference.json(options)).value;
    } catch (error) {
      if (isFirst || !(error instanceof InferenceError)) throw error;
      logger.info({ code: error.code }, 'no second look was made');
      return undefined;
    }
  }) as AskModel;
}
