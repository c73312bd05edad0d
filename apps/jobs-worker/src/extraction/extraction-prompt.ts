import { z } from 'zod';
import {
  KNOWLEDGE_KINDS,
  SPOKEN_AUTHORITIES,
  SUBJECT_KINDS,
  type ConversationMessage,
  type KnowledgeSources,
} from '@clew/contracts';
import type { ChatMessage } from '@clew/inference';
import { DATA_RULE, dataBlock, PARTICIPANTS_ONLY, type ShownPart } from '@clew/knowledge';
import type { Chunk } from './plan-extraction.ts';
import { speakerOf } from './speaker.ts';

/**
 * Schema of a model's answer. The model is told the allowed kinds and authorities, but they are checked item by item,
 * so that one wrong word does not discard the other items.
 */
export const ExtractionAnswer = z.strictObject({
  items: z
    .array(
      z.strictObject({
        title: z.string(),
        content: z.string(),
        kind: z.string().meta({ enum: [...KNOWLEDGE_KINDS] }),
        confidence: z.number(),
        authority: z.string().meta({ enum: [...SPOKEN_AUTHORITIES] }),
        subject: z.strictObject({ kind: z.string().meta({ enum: [...SUBJECT_KINDS] }), name: z.string() }).nullish(),
        validFrom: z.string().nullish(),
        validUntil: z.string().nullish(),
        evidence: z.array(z.strictObject({ messageIndex: z.int(), quote: z.string() })),
      }),
    )
    .max(200),
});

/** Calls of a message that are shown, and characters of the arguments of each. */
const MAX_CALLS = 5;
const MAX_ARGUMENTS = 300;

const INSTRUCTIONS = `You collect what a team can learn from conversations between users, an AI assistant and its tools: lasting facts, preferences, procedures, corrections and policies that serve the goal below. Leave out small talk, what holds for one conversation only, and what nobody said. Be complete: take every such fact, also a small one (a rule, a price, a time, a place, a plan and its change), each as an item of its own.
For each item give
- "title": a heading of a few words, not the content again; "content": one or two sentences that stand alone, in the language and with the words of the conversation; no number, name or negation that the quotes lack. It is read alone, a year later: name the person, place, firm or thing in full wherever "she", "the house" or "the deposit" would leave open whose and which; the name in brackets is the speaker's own, and "I" and "my" are theirs. Give each date with its year, and of what may change say since or until when it held. Turn "yesterday", "next month" and the like into dates by the time of the message, and leave out what nobody can date. What changes within the conversation is two items: how it was and how it is now, each with its time;
- "kind": ${KNOWLEDGE_KINDS.join(', ')}; "confidence": 0 to 1;
- "authority": user_stated if users say it themselves, tool_observed if a tool returned it, else assistant_inferred;
- "subject": whom or what it is about, as the words name it: ${SUBJECT_KINDS.join(', ')}; null if that is nobody and nothing in particular;
- "validFrom", "validUntil": where the words say from when on it holds, or until when, as 2026, 2026-06 or 2026-06-03, else null;
- "evidence": the words that show it, copied character by character from the message whose index you name.
An item with a quote that is not in its message is dropped. Calls of tools are shown to understand the rest, and cannot be quoted. Most conversations teach nothing: then give no items.
Answer with a JSON object {"items": [{"title": "...", "content": "...", "kind": "...", "confidence": 0.9, "authority": "...", "subject": {"kind": "person", "name": "..."}, "validFrom": null, "validUntil": null, "evidence": [{"messageIndex": 0, "quote": "..."}]}]}.
${DATA_RULE}`;

const OF_SYSTEM_PROMPTS =
  'A message with the role system is the prompt of the assistant, which its makers vouch for: the rules in it on what customers may have and how things are done are policies, and may be quoted. How the assistant is to speak, and what tools it has, teach nothing.';

/** Builds the question about a part of a conversation. All text from the conversation stands in data blocks. */
export function extractionPrompt(
  goal: string,
  { context, fresh }: Chunk,
  sources: KnowledgeSources = PARTICIPANTS_ONLY,
): ChatMessage[] {
  const ofPrompts = sources.systemPrompt ? `\n${OF_SYSTEM_PROMPTS}` : '';
  const before =
    context.length === 0 ? [] : ['What was said before, to understand the rest:', dataBlock('before', textOf(context))];
  return [
    { role: 'system', content: `${INSTRUCTIONS}${ofPrompts}\n\nThe goal: ${goal}` },
    {
      role: 'user',
      content: [
        ...before,
        'The conversation to learn from, with the index, role, name and time (UTC) of each message:',
        dataBlock('conversation', textOf(fresh)),
      ].join('\n'),
    },
  ];
}

function textOf(parts: readonly ShownPart[]): string {
  return parts
    .map(({ message, range }) => {
      const said = message.content.slice(range.start, range.end);
      const calls = range.end === message.content.length ? callsOf(message) : '';
      return `[${message.index}] ${speakerOf(message)}: ${said}${calls}`;
    })
    .join('\n');
}

function callsOf({ toolCalls = [] }: ConversationMessage): string {
  return toolCalls
    .slice(0, MAX_CALLS)
    .map(({ name, arguments: given }) => ` (calls ${name}${JSON.stringify(given ?? {}).slice(0, MAX_ARGUMENTS)})`)
    .join('');
}
