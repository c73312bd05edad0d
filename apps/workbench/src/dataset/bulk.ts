import type { Api } from '@clew/sdk';
import { tagsOf } from '../examples/tags.ts';

export type ExamplesChange = Api.UpdateExamplesData['body']['change'];
export type BulkOutcome = Api.UpdateExamplesResponse['results'][number];

/** Examples that one request may change. */
export const MAX_AT_ONCE = 500;

/** Change of tags; undefined where there is none. A tag that is added is not removed. */
export function tagChange(added: string, removed: readonly string[]): ExamplesChange | undefined {
  const addTags = tagsOf(added);
  const removeTags = removed.filter((tag) => !addTags.includes(tag));
  if (addTags.length === 0 && removeTags.length === 0) return undefined;
  return { ...(addTags.length === 0 ? {} : { addTags }), ...(removeTags.length === 0 ? {} : { removeTags }) };
}

/** Tags that some of the Examples have, the most frequent first. */
export function tagsIn(examples: readonly Pick<Api.Example, 'tags'>[]): { tag: string; number: number }[] {
  const numbers = new Map<string, number>();
  for (const tag of examples.flatMap(({ tags }) => tags)) numbers.set(tag, (numbers.get(tag) ?? 0) + 1);
  return [...numbers].map(([tag, number]) => ({ tag, number })).sort((a, b) => b.number - a.number);
}

/** Examples of a list after a change, as far as it was made. */
export function afterChange(
  examples: readonly Api.Example[],
  outcomes: readonly BulkOutcome[],
  { addTags = [], removeTags = [] }: ExamplesChange,
): Api.Example[] {
  const byId = new Map(outcomes.map((each) => [each.exampleId, each]));
  return examples.flatMap((example) => {
    const { outcome, version = example.version } = byId.get(example.id) ?? {};
    if (outcome === 'deleted') return [];
    if (outcome !== 'updated') return [example];
    const tags = [...new Set([...example.tags.filter((tag) => !removeTags.includes(tag)), ...addTags])];
    return [{ ...example, tags, version }];
  });
}

/** Sums outcomes up: `97 tagged, 2 as before, 1 refused: …`. */
export function bulkSummary(outcomes: readonly BulkOutcome[]): string {
  const number = (outcome: BulkOutcome['outcome']) => outcomes.filter((each) => each.outcome === outcome).length;
  const parts = [
    [number('updated'), 'tagged'],
    [number('deleted'), 'deleted'],
    [number('unchanged'), 'as before'],
    [number('refused'), 'refused'],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, word]) => `${many} ${word}`);
  const reasons = [...new Set(outcomes.flatMap(({ error }) => (error === undefined ? [] : [error.message])))];
  return `${told.length === 0 ? 'Nothing changed' : told.join(', ')}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
}
