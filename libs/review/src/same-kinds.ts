import { MAX_COMPARED_KINDS, type ComparedKind } from '@clew/contracts';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import { z } from 'zod';
import type { PromptMessage } from './prompt-message.ts';

/** Schema of the answer about kinds of mistakes, which it names by their numbers. */
export const SameKindsAnswer = z.strictObject({
  same: z
    .array(z.strictObject({ because: z.string(), numbers: z.array(z.int()).max(MAX_COMPARED_KINDS) }))
    .max(MAX_COMPARED_KINDS),
});
export type SameKindsAnswer = z.infer<typeof SameKindsAnswer>;

const INSTRUCTIONS = `Reviewers read the conversations of one AI assistant and wrote down the mistakes that they found, each in words of its own. Below is a numbered list of them. Some are the same mistake in other words. Find these, so that the team that runs the assistant gets one report of each mistake instead of several.
Two entries are the same mistake if the assistant did the same wrong thing to the same kind of object, so that one repair ends both. They are different if it did another thing (nothing at all instead of a wrong thing, twice instead of too much), did it to another kind of object, or broke another rule. The category and the tool are only hints: reviewers choose different ones for the same mistake. An entry that is more general than another is a different one, unless nothing but the same mistake can be meant.
Answer with a JSON object {"same": [{"because": "...", "numbers": [2, 5]}]}, one entry for each mistake that is in the list more than once: "because" says in one sentence what mistake it is, and "numbers" are all entries that describe it. No number stands in two entries, and a mistake that is in the list once is left out. If all are different, answer {"same": []}.
${DATA_RULE}`;

/** Category that is never joined with others: a followed instruction stays a Finding of its own. */
const KEPT_APART = 'injection_followed';

/** Builds the question which kinds of mistakes are the same. */
export function sameKindsPrompt(kinds: readonly ComparedKind[]): PromptMessage[] {
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: ['The mistakes:', dataBlock('mistakes', kinds.map(described).join('\n'))].join('\n') },
  ];
}

/**
 * Groups of kinds that an answer tells to be the same, by id. A number that is not in the list, or that the answer puts
 * into two groups, counts for none.
 */
export function sameKindsOf({ same }: SameKindsAnswer, kinds: readonly ComparedKind[]): string[][] {
  const groups = same.map(({ numbers }) => [...new Set(numbers)]);
  const mentions = new Map<number, number>();
  for (const number of groups.flat()) mentions.set(number, (mentions.get(number) ?? 0) + 1);
  return groups
    .map((numbers) =>
      numbers.filter((number) => mentions.get(number) === 1).flatMap((number) => kinds[number - 1] ?? []),
    )
    .flatMap((group) => [...Map.groupBy(group, ({ category }) => category === KEPT_APART).values()])
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ id }) => id));
}

function described({ category, tool, kind, title }: ComparedKind, position: number): string {
  return `${position + 1}. ${kind}: ${title} (category ${category}${tool === null ? '' : `, tool ${tool}`})`;
}
