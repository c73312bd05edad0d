import type { ConversationSnapshot } from '@clew/contracts';
import { DATA_RULE } from '@clew/knowledge';
import type { PromptMessage } from '@clew/review';
import type { Mistake } from '../mistakes/index.ts';
import { stepMaterial } from './step-material.ts';

const INSTRUCTIONS = `You correct one message of an AI assistant in a conversation with a user and with tools. At that step the assistant made a mistake. Write the message that it should have given at that very step. Another model is trained on it and sees only what stood before the step, so your message must be right for somebody who knows no more than that.

The message is
- the assistant's next message and nothing after it: words to the user, or calls of tools, or both where the assistant does both. Nothing is done before a call has done it, and what a call will return is not known yet: never say that something is done, or what will come of it, in the message that calls;
- right by the rules that the assistant was given, and what the user wants as far as the rules allow. What the rules forbid is refused, with the reason. What must be confirmed or looked up first is asked or looked up first;
- made from what stood before the step. Each number, date, name, id and argument is copied from there; do not compute, count, round or guess any. What is missing is asked for, or looked up with a tool. What came later tells you that the message was wrong, and is not known yet at the step;
- complete and fit to be sent: in the language and the manner of the assistant's other messages, without placeholders, and without a word about the mistake, this task or what came later.
Call only tools that are listed, with arguments that fit their parameters.

Decline if what stood before the step does not tell what would have been right, if the mistake was made earlier and no message at this step can put it right, or if the assistant's message was right after all. Most can be corrected; a wrong correction is worse than none.

Answer with a JSON object, its members in this order:
- "reasoning": in at most four sentences, what the user wanted, which rule or fact decides, and what the assistant should have done at this step;
- "known": false to decline, else true;
- "content": the words of the message as plain text; null if it only calls tools or if you decline;
- "toolCalls": the calls of the message, or []; "arguments" is the text of a JSON object;
- "quotes": one to five quotes on which the message rests, copied character by character from messages before the step, rules included; each with the index of its message, and at least four words long or a whole message, call or member of a result. A message with a quote that is not in the message it names counts for nothing;
- "persons": the names of private persons, such as users, customers and those whom they speak of, as they are written in what you are shown; they are replaced before anybody is trained on it.
The shape is {"reasoning": "...", "known": true, "content": "...", "toolCalls": [{"name": "...", "arguments": "{...}"}], "quotes": [{"messageIndex": 0, "quote": "..."}], "persons": []}.
${DATA_RULE}`;

/** Builds the question for the response that should have been given at a step. */
export function responsePrompt(
  snapshot: ConversationSnapshot,
  mistake: Mistake,
  contextLength: number | null,
): PromptMessage[] {
  const content = [
    ...stepMaterial(snapshot, mistake, contextLength),
    `Write the message that the assistant should have given as message ${mistake.message.index}.`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: content.join('\n') },
  ];
}
