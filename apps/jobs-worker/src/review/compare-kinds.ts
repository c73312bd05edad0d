import { kindComparisonCompleted, type EnvelopeOf, type kindComparisonRequested } from '@clew/contracts';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import { SameKindsAnswer, sameKindsOf, sameKindsPrompt } from '@clew/review';
import { requestIdOf, resultEnvelope } from '../envelopes.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';

export interface CompareKindsDependencies {
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  /** Places for comparisons only. */
  inPlace: ModelPlaces;
}

type CompareCommand = EnvelopeOf<typeof kindComparisonRequested>;
type Outcome = EnvelopeOf<typeof kindComparisonCompleted>['data']['outcome'];
type CompareContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Token budget of one answer and its repair, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 60_000;
const MAX_ANSWER_TOKENS = 2_500;

/**
 * Has a model tell which kinds of problems are the same in other words, and publishes it to the owner of the command. A
 * model failure is reported as an outcome, and the owner decides when to ask again.
 */
export function createCompareKinds({ inference, publisher, clock, inPlace }: CompareKindsDependencies) {
  async function compare(
    command: CompareCommand,
    budget: TokenBudget,
    { signal, heartbeat }: CompareContext,
  ): Promise<Outcome> {
    const { id: idempotencyKey, projectId, data } = command;
    const { model, capabilities, kinds } = data;
    try {
      const { value } = await inference.json({
        ...{ projectId, model, capabilities, schema: SameKindsAnswer, messages: sameKindsPrompt(kinds) },
        ...{ temperature: 0, maxTokens: MAX_ANSWER_TOKENS, purpose: 'judgement', budget, signal, heartbeat },
        ...{ idempotencyKey, ...requestIdOf(command) },
      });
      return { status: 'compared', same: sameKindsOf(value, kinds) };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      return modelFailureOf(error);
    }
  }

  return async (command: CompareCommand, context: CompareContext): Promise<void> => {
    const budget = createTokenBudget(MAX_TOKENS);
    const outcome = await inPlace(command, context, () => compare(command, budget, context));
    context.signal.throwIfAborted();
    if (outcome.status !== 'compared') context.logger.info({ outcome }, 'kinds of problems were not compared');
    const { kinds, capabilities: _, ...compared } = command.data;
    await publisher.publish(kindComparisonCompleted, {
      ...resultEnvelope(command, kindComparisonCompleted, clock.now()),
      data: {
        ...{ ...compared, calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
        newIds: kinds.filter(({ isNew }) => isNew).map(({ id }) => id),
      },
    });
  };
}
