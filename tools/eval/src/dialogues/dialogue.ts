import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ITEM_RELATIONS, KNOWLEDGE_KINDS } from '@clew/contracts';
import { z } from 'zod';

const At = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const Message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  name: z.string().min(1).optional(),
  at: At,
  content: z.string().min(1),
});

/** Statement that a careful reader notes of a dialogue. */
const ReferenceFact = z.strictObject({
  id: z.string().min(1),
  text: z.string().min(1).meta({ description: 'One sentence, self-contained in person and time' }),
  about: z.string().min(1),
  conversation: z.int().min(0),
  messages: z.array(z.int().min(0)).min(1).meta({ description: 'Those that show it' }),
  kind: z.enum(KNOWLEDGE_KINDS),
  saidBySubject: z.boolean(),
  replaces: z.string().nullable().meta({ description: 'The fact that no longer holds because of it' }),
});
export type ReferenceFact = z.infer<typeof ReferenceFact>;

/** Dialogue with reference facts, in one or more conversations that are read one after the other. */
const Dialogue = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  goal: z.strictObject({ name: z.string().min(1), instruction: z.string().min(1) }),
  conversations: z.array(z.strictObject({ messages: z.array(Message).min(1) })).min(1),
  facts: z.array(ReferenceFact),
  relations: z
    .array(z.strictObject({ earlier: z.string(), later: z.string(), expected: z.enum(ITEM_RELATIONS) }))
    .default([])
    .meta({ description: 'How pairs of facts relate, where that is tested' }),
});
export type Dialogue = z.infer<typeof Dialogue>;
export type DialogueMessage = z.infer<typeof Message>;

/** Reads the dialogues of a folder, a JSON file each. Throws for a file of another shape. */
export function readDialogues(folder: string): Dialogue[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.toSorted().map((name) => Dialogue.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}
