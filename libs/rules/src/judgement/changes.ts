import type { ConversationMessage } from '@clew/contracts';
import { messageSentences } from '../conversation/message-sentences.ts';
import { oncePer } from '../conversation/once-per.ts';
import { agentAskOf, userAnswerOf, type UserAnswer } from '../expectations/forms/agreement.ts';
import type { ConversationView, ViewedCall } from '../view/conversation-view.ts';

/** Tells whether a call changes something, as far as its tool's name tells. */
export function isChange(call: ViewedCall): boolean {
  const { changes, handsOver, answers, notifies } = call.character;
  return changes && !handsOver && !answers && !notifies;
}

/** Agreement of the user to a call, in the messages before it; `answer` is the user's last message. */
export type Agreement =
  | { readonly kind: 'given' | 'nobody_to_ask' }
  | { readonly kind: 'missing' | 'declined'; readonly answer: ConversationMessage };

/** Reads the user's last message before a call. If the user speaks only at the beginning, the agent works alone. */
export function agreementBefore(view: ConversationView, call: ViewedCall): Agreement {
  const answer = view.userMessageBefore(call.position);
  if (answer === undefined || view.userMessages.length < 2) return { kind: 'nobody_to_ask' };
  const reply = answerOf(answer);
  if (reply === 'yes') return { kind: 'given' };
  if (reply === 'no') return { kind: choosesAnother(answer) ? 'missing' : 'declined', answer };
  if (reply === 'perhaps' && asksConsent(view, answer)) return { kind: 'given' };
  return { kind: 'missing', answer };
}

/** Answers by message, because several calls may follow the same one. */
const answerOf = oncePer((message: ConversationMessage): UserAnswer =>
  userAnswerOf(message.content, messageSentences(message)),
);

/** Detects `No, not on Tuesday. Thursday, then.`, which declines the offer and says what to do instead. */
function choosesAnother(answer: ConversationMessage): boolean {
  const sentences = messageSentences(answer);
  const last = sentences.at(-1);
  if (last === undefined || sentences.length < 2 || last.isQuestion) return false;
  return userAnswerOf(answer.content.slice(last.start, last.end), [last]) !== 'no';
}

function asksConsent(view: ConversationView, answer: ConversationMessage): boolean {
  for (let position = view.positionOf(answer) - 1; position >= 0; position -= 1) {
    const message = view.messages[position];
    if (message?.role !== 'assistant' || message.content.trim() === '') continue;
    const ask = agentAskOf(view.sentences(message));
    return ask === 'agreement' || ask === 'offer';
  }
  return false;
}
