import { z } from 'zod';
import { KNOWLEDGE_AUTHORITIES, KNOWLEDGE_KINDS } from '@clew/contracts';
import type { ChatMessage } from '@clew/inference';
import { DATA_RULE, dataBlock, type ShownPart } from '@clew/knowledge';
import type { Chunk } from './plan-extraction.ts';

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
        authority: z.string().meta({ enum: [...KNOWLEDGE_AUTHORITIES] }),
        evidence: z.array(z.strictObject({ messageIndex: z.int(), quote: z.string() })),
      }),
    )
    .max(200),
});

const INSTRUCTIONS = `You collect what a team can learn from conversations between users, an AI assistant and its tools: lasting facts, preferences, procedures, corrections and policies that serve the goal below. Leave out small talk, what holds for one conversation only, and what nobody said.
For each item give
- "title": a few words; "content": one or two sentences that stand alone, with the words of the conversation; no number, name or negation that the quotes lack;
- "kind": ${KNOWLEDGE_KINDS.join(', ')}; "confidence": 0 to 1;
- "authority": user_stated, tool_observed or assistant_inferred, by who said it;
- "evidence": the words that show it, copied character by character from the message whose index you name.
An item with a quote that is not in its message is dropped. Most conversations teach nothing: then give no items.
Answer with a JSON object {"items": [{"title": "...", "content": "...", "kind": "...", "confidence": 0.9, "authority": "...", "evidence": [{"messageIndex": 0, "quote": "..."}]}]}.
${DATA_RULE}`;

/** Builds the question about a part of a conversation. All text from the conversation stands in data blocks. */
export function extractionPrompt(goal: string, { context, fresh }: Chunk): ChatMessage[] {
  const before =
    context.length === 0 ? [] : ['What was said before, to understand the rest:', dataBlock('before', textOf(context))];
  return [
    { role: 'system', content: `${INSTRUCTIONS}\n\nThe goal: ${goal}` },
    {
      role: 'user',
      content: [
        ...before,
        'The conversation to learn from, with the index and role of each message:',
        dataBlock('conversation', textOf(fresh)),
      ].join('\n'),
    },
  ];
}

function textOf(parts: readonly ShownPart[]): string {
  return parts
    .map(
      ({ message: { index, role, content }, range }) => `[${index}] ${role}: ${content.slice(range.start, range.end)}`,
    )
    .join('\n');
}
