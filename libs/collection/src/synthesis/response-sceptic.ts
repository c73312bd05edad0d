import type { ConversationSnapshot } from '@clew/contracts';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import { framedCall, textsOf, type PromptMessage } from '@clew/review';
import type { SaidMessage } from '../example-messages.ts';
import type { Mistake } from '../mistakes/index.ts';
import { stepMaterial } from './step-material.ts';

const INSTRUCTIONS = `Somebody corrected a message of an AI assistant, and a model is to be trained on the corrected one. Be sceptical: look for what speaks against it. Read the rules that the assistant was given, the tools and what stood before the step, and check the corrected message against them word by word: is each statement, number, name and argument right and known at that step? Do the rules allow it, and demand nothing else first? Does it do what the user wants at this step, in full? Does it claim something that no tool has done, promise what the assistant cannot do, or speak of what came later? Is it really better than the message that was given?
Answer with a JSON object {"against": "...", "because": "...", "right": "yes"}, its members in this order: "against" is the best that can be said against the corrected message, "because" says in one or two sentences what decides, and "right" is
- "yes" if an expert who knows the rules would give that message at that step, or one that means the same, and it is better than the one that was given;
- "no" if it is wrong, against the rules, not known at that step, or no better;
- "unclear" if what is shown does not tell.
${DATA_RULE}`;

/** Builds the second question about a response: what a sceptic says of it. */
export function responseSceptic(
  snapshot: ConversationSnapshot,
  mistake: Mistake,
  response: SaidMessage,
  contextLength: number | null,
): PromptMessage[] {
  const { message } = mistake;
  const [content = '', ...calls] = textsOf({ ...message, ...response, toolCalls: response.toolCalls });
  const text = [content, ...calls.map(framedCall)].filter((line) => line !== '').join('\n');
  return [
    { role: 'system', content: INSTRUCTIONS },
    {
      role: 'user',
      content: [
        ...stepMaterial(snapshot, mistake, contextLength),
        `The corrected message, in the place of message ${message.index}:`,
        dataBlock('corrected', text),
      ].join('\n'),
    },
  ];
}
