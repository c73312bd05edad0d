import { adjudicationCompleted, type ConversationSnapshot, type EnvelopeOf } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
import { requestIdOf, resultEnvelope } from '../envelopes.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { judgePrompt, maxAnswerTokensOf, maxCharactersOf, shownToJudge } from './judge-prompt.ts';
import { isRefutable } from './refutable.ts';
import { JudgeAnswer, verdictsOf, type AdjudicationCommand } from './verdicts.ts';

export interface AdjudicateDependencies {
  warehouse: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  rules: readonly RuleDefinition[];
  clock: Clock;
  /** Places for adjudications only; extraction has its own. */
  inPlace: ModelPlaces;
}

type Outcome = EnvelopeOf<typeof adjudicationCompleted>['data']['outcome'];
type AdjudicateContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Token budget of one answer and its repair, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 100_000;

/**
 * Has a model confirm or refute the candidates of a Rule in a snapshot, and publishes the outcome to the owner of the
 * command. A model failure is reported as an outcome, and the owner decides when to ask again. Only failures of this
 * system itself are retried here.
 */
export function createAdjudicate(dependencies: AdjudicateDependencies) {
  const { warehouse, inference, publisher, rules, clock, inPlace } = dependencies;
  const ruleById = new Map(rules.map((rule) => [rule.ruleId, rule]));

  async function judge(
    command: AdjudicationCommand,
    snapshot: ConversationSnapshot,
    budget: TokenBudget,
    { signal, heartbeat }: AdjudicateContext,
  ): Promise<Outcome> {
    const { model, rule, candidates, capabilities } = command.data;
    const contextLength = capabilities?.contextLength ?? null;
    const definition = ruleById.get(rule.ruleId);
    const shown = shownToJudge(candidates, snapshot, maxCharactersOf(contextLength));
    const maxTokens = maxAnswerTokensOf(candidates.length, contextLength);
    try {
      const { value } = await inference.json({
        ...{ projectId: command.projectId, model, capabilities, schema: JudgeAnswer },
        messages: judgePrompt(definition, candidates, shown),
        ...{ temperature: 0, maxTokens, purpose: 'judgement', budget, signal, heartbeat },
        ...{ idempotencyKey: command.id, ...requestIdOf(command) },
      });
      const verdicts = verdictsOf(value, candidates, snapshot.messages, isRefutable(definition, shown));
      return { status: 'judged', verdicts };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      return modelFailureOf(error);
    }
  }

  return async (command: AdjudicationCommand, context: AdjudicateContext): Promise<void> => {
    const budget = createTokenBudget(MAX_TOKENS);
    const outcome = await inPlace(command, context, async (): Promise<Outcome> => {
      const snapshot = await readSnapshot(warehouse, command, context.signal);
      if (snapshot === undefined) return { status: 'failed', reason: 'The snapshot no longer exists' };
      return await judge(command, snapshot, budget, context);
    });
    context.signal.throwIfAborted();
    if (outcome.status !== 'judged') context.logger.info({ outcome }, 'an adjudication has no verdict');
    const { candidates: _, capabilities: _capabilities, ...judged } = command.data;
    await publisher.publish(adjudicationCompleted, {
      ...resultEnvelope(command, adjudicationCompleted, clock.now()),
      data: { ...judged, calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
    });
  };
}
