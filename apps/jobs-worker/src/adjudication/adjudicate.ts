import { adjudicationCompleted, type ConversationSnapshot, type EnvelopeOf } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type InferenceClient, type TokenBudget } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
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
  /** For judgements alone. */
  inPlace: ModelPlaces;
}

type Outcome = EnvelopeOf<typeof adjudicationCompleted>['data']['outcome'];
type AdjudicateContext = Pick<MessageContext, 'signal' | 'beat' | 'logger'>;

/** An answer and its repair, whatever the provider makes of the limit. */
const MAX_TOKENS = 100_000;

/**
 * Has a model confirm or refute what a Rule found in a snapshot, and tells the owner. A model that fails is told of as
 * such, for the owner to decide when it is asked again: only what this system itself lacks is tried again here.
 */
export function createAdjudicate(dependencies: AdjudicateDependencies) {
  const { warehouse, inference, publisher, rules, clock, inPlace } = dependencies;
  const ruleById = new Map(rules.map((rule) => [rule.ruleId, rule]));

  async function judge(
    command: AdjudicationCommand,
    snapshot: ConversationSnapshot,
    budget: TokenBudget,
    { signal, beat }: AdjudicateContext,
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
        ...{ temperature: 0, maxTokens, purpose: 'judgement', budget, signal, beat },
        idempotencyKey: command.id,
        ...(command.requestId === null ? {} : { requestId: command.requestId }),
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
      // One command, one result: its owner takes it once, however often the command was worked through.
      id: `${adjudicationCompleted.type}:${command.id}`,
      type: adjudicationCompleted.type,
      version: adjudicationCompleted.version,
      occurredAt: clock.now(),
      projectId: command.projectId,
      requestId: command.requestId,
      data: { ...judged, calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
    });
  };
}
