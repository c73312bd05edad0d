import type {
  CollectionObjective,
  ConversationSnapshot,
  DiagnosedConversation,
  RefusalReason,
  Synthesis,
} from '@clew/contracts';
import { maxAnswerTokensOf } from '@clew/review';
import { conversationExample } from '../conversation-example.ts';
import { refused } from '../decision.ts';
import type { SaidMessage } from '../example-messages.ts';
import { mistakeIn, synthesisOf, type Mistake } from '../mistakes/index.ts';
import { ResponseAnswer, SecondLookAnswer } from './answers.ts';
import type { AskModel } from './ask-model.ts';
import { isEqualToRejected } from './equal-to-rejected.ts';
import { isGrounded } from './grounds.ts';
import { brokenCall } from './offered-tools.ts';
import { personsIn } from './persons.ts';
import { readResponse } from './read-response.ts';
import { responsePrompt } from './response-prompt.ts';
import { responseSceptic } from './response-sceptic.ts';
import { restsOnQuotes } from './step-quotes.ts';
import { afterSecondLook, modelTag, valid, type SynthesisOptions, type Synthesized } from './synthesized.ts';

/** Conversation as it is now, and the response that was asked for. */
export interface ConversationToCorrect {
  objective: CollectionObjective;
  snapshot: ConversationSnapshot;
  diagnosed: DiagnosedConversation | undefined;
  synthesis: Pick<Synthesis, 'derivationKey'>;
}

/** Reasons for which a mistake that was there at the look no longer is. */
const GONE: Partial<Record<CollectionObjective, RefusalReason>> = {
  correct_failed_conversations: 'no_grave_problem',
  learn_from_user_corrections: 'no_user_correction',
};

/**
 * Has a model write the response that should have been given in the place of a mistake, and makes an Example of it. The
 * response counts only if the mistake still stands, if it is no copy of the mistake, rests on exact quotes of what stood
 * before, and names and calls nothing else; and unless a sceptic finds that it is not right.
 */
export async function synthesizeFromConversation(
  ask: AskModel,
  { objective, snapshot, diagnosed, synthesis }: ConversationToCorrect,
  options: SynthesisOptions,
): Promise<Synthesized> {
  const mistake = mistakeIn(objective, snapshot, diagnosed);
  if (typeof mistake === 'string') return refused(mistake);
  const { datasetId, contextLength, redaction, model } = options;
  const { derivationKey } = synthesisOf(mistake, snapshot, { datasetId, objective });
  // Another step is another Example, for which the owner asks when it looks again.
  if (derivationKey !== synthesis.derivationKey) return refused(GONE[objective] ?? 'no_step_to_correct');
  const maxTokens = maxAnswerTokensOf(contextLength);
  const messages = responsePrompt(snapshot, mistake, contextLength);
  const answer = await ask({ name: 'synthesis', schema: ResponseAnswer, messages, maxTokens });
  const response = checkedResponse(answer, snapshot, mistake);
  if (typeof response === 'string') return refused(response);
  const shown = snapshot.messages.slice(0, mistake.at + 1);
  const step = { shown, expected: response, rejected: mistake.message, derivationKey };
  const named = { tags: [modelTag(model)], persons: personsIn(answer) };
  const made = valid(conversationExample(snapshot, { ...step, ...named }, redaction));
  if (made.status === 'refused') return made;
  const again = responseSceptic(snapshot, mistake, response, contextLength);
  return afterSecondLook(
    made,
    await ask({ name: 'second-look', schema: SecondLookAnswer, messages: again, maxTokens }),
  );
}

/** Response of an answer, or why it cannot be kept. */
export function checkedResponse(
  answer: ResponseAnswer,
  snapshot: ConversationSnapshot,
  mistake: Mistake,
): SaidMessage | RefusalReason {
  const response = readResponse(answer, mistake);
  if (typeof response === 'string') return response;
  const before = snapshot.messages.slice(0, mistake.at);
  const broken = brokenCall(response, snapshot, before);
  if (broken !== undefined) return broken;
  if (isEqualToRejected(response, mistake.message)) return 'equal_to_rejected';
  const known = mistake.correction === undefined ? before : [...before, mistake.correction.message];
  if (!restsOnQuotes(answer.quotes, known)) return 'quotes_not_found';
  return isGrounded(response, { messages: known, tools: snapshot.tools }) ? response : 'not_grounded';
}
