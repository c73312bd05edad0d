import { z } from 'zod';
import type { KnowledgeItem } from '@clew/contracts';
import type { AskProvider } from '../reviewed/ask-provider.ts';
import type { ReadDialogue } from './dialogue-figures.ts';

/** A judge's opinion of what was learned from a dialogue. */
export interface JudgedDialogue {
  /** Reference facts that some item states. */
  found: number;
  facts: number;
  /** Items that are true, useful, and self-contained in person and time. */
  right: number;
  items: number;
  /** The other items, with the judge's objections. */
  wrong: string[];
  /** Facts that no item states. */
  missed: string[];
}

const Answer = z.strictObject({
  facts: z.array(z.strictObject({ fact: z.int(), notes: z.array(z.int()).max(20) })).max(500),
  items: z
    .array(
      z.strictObject({
        ...{ item: z.int(), isTrue: z.boolean(), isUseful: z.boolean(), standsAlone: z.boolean() },
        against: z.string(),
      }),
    )
    .max(500),
});

const INSTRUCTIONS = `You judge notes that somebody took of a dialogue.
Each note has a heading, says in brackets when the words behind it were said and whom it is about, and then what they say.
For each numbered fact, give the numbers of the notes that state it: one that does in other words, perhaps as a part, or several whose parts together do; none if something of it is in no note. What the heading, the brackets and the words of a note say counts.
For each numbered note decide: isTrue (the dialogue shows it, for that person and that time), isUseful (worth knowing later for the goal, no small talk), standsAlone (whoever reads it alone knows who is meant, and when: dates are resolved, no "he" or "yesterday" that nothing explains). In "against" say in a few words what is wrong, or leave it empty.
A note may say what was true when it was said; the dialogue may have changed it later.
Answer with a JSON object {"facts": [{"fact": 1, "notes": [3]}], "items": [{"item": 1, "isTrue": true, "isUseful": true, "standsAlone": true, "against": ""}]}, one entry for each.`;

/** Item as a list shows it: its heading, whom it is about, and when that was said. */
function shown({ title, content, subject, saidAt }: KnowledgeItem): string {
  const about = subject.kind === 'project' ? '' : `, about ${subject.name}`;
  return `${title} (said on ${new Date(saidAt).toISOString().slice(0, 10)}${about}): ${content}`;
}

/** Asks a model which reference facts the items state, and which items are worth keeping. */
export async function judgeDialogue(ask: AskProvider, { dialogue, items }: ReadDialogue): Promise<JudgedDialogue> {
  const said = dialogue.conversations.flatMap(({ messages }) =>
    messages.map(({ role, name, at, content }) => `${new Date(at).toUTCString()}, ${name ?? role}: ${content}`),
  );
  const facts = dialogue.facts.map(({ text }, at) => `${at + 1}. ${text}`);
  const notes = items.map((item, at) => `${at + 1}. ${shown(item)}`);
  const text = [
    ...[`The goal: ${dialogue.goal.instruction}`, 'The dialogue:', ...said],
    ...['The facts:', ...facts, 'The notes:', ...notes],
  ];
  const answer = await ask({
    schema: Answer,
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: text.join('\n') },
    ],
    maxTokens: 16_000,
  });
  const stated = new Set(answer.facts.filter(({ notes }) => notes.length > 0).map(({ fact }) => fact));
  const judged = new Map(answer.items.map((each) => [each.item, each]));
  const isRight = (at: number) => {
    const each = judged.get(at + 1);
    return each !== undefined && each.isTrue && each.isUseful && each.standsAlone;
  };
  return {
    found: dialogue.facts.filter((_, at) => stated.has(at + 1)).length,
    facts: dialogue.facts.length,
    right: items.filter((_, at) => isRight(at)).length,
    items: items.length,
    wrong: items.flatMap(({ content }, at) =>
      isRight(at) ? [] : [`${content} (${judged.get(at + 1)?.against ?? ''})`],
    ),
    missed: dialogue.facts.flatMap(({ text: fact }, at) => (stated.has(at + 1) ? [] : [fact])),
  };
}
