import type { KnowledgeItem } from '@clew/contracts';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import type { PromptMessage } from '@clew/review';
import { itemQuotes } from '../look-at-item.ts';

const INSTRUCTIONS = `You turn a piece of knowledge of a project into one question and its answer, on which the project's AI assistant is trained, so that it knows this without looking it up.
The question is one that a user of the project's product, or somebody who works with it, could really ask the assistant, in their words. It can be understood without anything else: it names the people, things and dates that it is about, and does not speak of "the item", "the text" or "the above".
The answer is what the assistant should say: complete, direct and polite, and to be understood by itself. It says what the knowledge says and no more: nothing that you know from elsewhere, no example of your own, and no number, date or name that does not stand in it. Use the words of the knowledge where you can, and say the thing itself instead of "yes" or "no". What holds only for some, or only for a time, is told with that limit.
Decline if nobody could ask about it, or if it cannot be understood by itself.
Answer with a JSON object, its members in this order:
- "reasoning": in one or two sentences, who would ask this, and what decides the answer;
- "suitable": false to decline, else true;
- "question" and "answer": plain text; "" if you decline;
- "quotes": one to three parts of the content or of the quotes on which the answer rests, copied character by character, each at least four words long or the whole of it. An answer with a quote that is not there counts for nothing;
- "persons": the names of private persons, such as users, customers and those whom they speak of, as they are written there; they are replaced before anybody is trained on it.
The shape is {"reasoning": "...", "suitable": true, "question": "...", "answer": "...", "quotes": ["..."], "persons": []}.
${DATA_RULE}`;

const SCEPTIC = `Somebody made a question and an answer from a piece of knowledge of a project, and an AI assistant is to be trained on them. Be sceptical: look for what speaks against them. Does the answer follow from the knowledge, in every word? Does it say more, leave out a limit, or mix up who or what it is about? Does it answer the question? Could a user really ask that, and can both be understood without anything else?
Answer with a JSON object {"against": "...", "because": "...", "right": "yes"}, its members in this order: "against" is the best that can be said against them, "because" says in one or two sentences what decides, and "right" is
- "yes" if the answer is right and complete by the knowledge, and the question is one that could be asked;
- "no" if not;
- "unclear" if what is shown does not tell.
${DATA_RULE}`;

/** Builds the question for a question and answer about a Knowledge item. */
export function itemPrompt(item: KnowledgeItem, maxCharacters: number): PromptMessage[] {
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: ['The knowledge:', dataBlock('knowledge', described(item, maxCharacters))].join('\n') },
  ];
}

/** Builds the second question: what a sceptic says of the question and the answer. */
export function itemSceptic(
  item: KnowledgeItem,
  { question, answer }: { question: string; answer: string },
  maxCharacters: number,
): PromptMessage[] {
  const content = [
    'The knowledge:',
    dataBlock('knowledge', described(item, maxCharacters)),
    'The question and the answer:',
    dataBlock('example', `Question: ${question}\nAnswer: ${answer}`),
  ];
  return [
    { role: 'system', content: SCEPTIC },
    { role: 'user', content: content.join('\n') },
  ];
}

function described(item: KnowledgeItem, maxCharacters: number): string {
  const { title, content, kind, subject, validFrom, validUntil } = item;
  const lines = [
    `Title: ${title}`,
    `Kind: ${kind}`,
    `About: ${subject.name} (${subject.kind})`,
    ...(validFrom === null ? [] : [`Holds from: ${dayOf(validFrom)}`]),
    ...(validUntil === null ? [] : [`Holds until before: ${dayOf(validUntil)}`]),
    `Content: ${content}`,
  ];
  let room = maxCharacters - lines.join('\n').length;
  const quotes = itemQuotes(item).filter(({ length }) => (room -= length) > 0);
  return [...lines, ...quotes.map((quote) => `Quote: ${quote}`)].join('\n');
}

/** Day of a time, as YYYY-MM-DD. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
