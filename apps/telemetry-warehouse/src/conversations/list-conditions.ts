import type { ConversationQuery, SuccessScore } from '@clew/contracts';
import type { FlagFilter, IndexedValue, ValuedFilter } from '@clew/persistence';
import { ANY, facet, facetOfSize } from './facets.ts';
import { termsOf } from './terms.ts';

export type ConversationFilter = Omit<ConversationQuery, 'limit' | 'cursor' | 'score'> & {
  score?: ScoreFilter | undefined;
};

/** Filter by a score, with its threshold where the project has one. */
export interface ScoreFilter {
  name: string;
  meaning: 'success' | 'failure';
  atLeast?: number | undefined;
}

/** Filter of a list; the range of its order is held by the indexes. */
export interface ListConditions extends ValuedFilter {
  flags: FlagFilter & { wanted: Record<'hasError' | 'hasFinding' | 'isReady', boolean | undefined> };
}

/** Conditions of a filter; undefined if nothing can fulfil them. */
export function listConditions(projectId: string, filter: ConversationFilter): ListConditions | undefined {
  const terms = filter.q === undefined ? [] : termsOf([filter.q]);
  // A search text without any word finds nothing.
  if (filter.q !== undefined && terms.length === 0) return undefined;
  const { hasError, hasFinding, state, startedAfter, startedBefore, minMessages } = filter;
  const wanted = { hasError, hasFinding, isReady: state === undefined ? undefined : state === 'ready' };
  const facets = facetsIn(filter);
  // Beside words, the facet of all finds the conversations with a rare flag.
  const isFlagged = Object.values(wanted).some((flag) => flag !== undefined);
  const isByAny = facets.length === 0 && (terms.length === 0 || isFlagged);
  const valuesOf = (field: string, values: readonly string[]): IndexedValue[] =>
    values.map((value) => ({ field, value }));
  return {
    values: [...valuesOf('facets', isByAny ? [ANY] : facets), ...valuesOf('terms', terms)],
    scope: { projectId, listed: true },
    flags: { wanted, heldWith: ['facets'] },
    indexed: rangeOf('startedAt', { $gte: startedAfter, $lt: startedBefore }),
    compared: [
      ...(minMessages === undefined ? [] : [{ messageCount: { $gte: minMessages } }]),
      ...(filter.score?.atLeast === undefined ? [] : [scoredAs(filter.score, filter.score.atLeast)]),
    ],
  };
}

function facetsIn({ agent, model, userId, tool, score, minMessages }: ConversationFilter): string[] {
  const size = minMessages === undefined ? undefined : facetOfSize(minMessages);
  return [
    ...(agent === undefined ? [] : [facet('agent', agent)]),
    ...(model === undefined ? [] : [facet('model', model)]),
    ...(userId === undefined ? [] : [facet('user', userId)]),
    ...(tool === undefined ? [] : [facet('tool', tool)]),
    // With a threshold, the meaning that the facets know does not count.
    ...(score === undefined ? [] : [facet(score.atLeast === undefined ? score.meaning : 'score', score.name)]),
    ...(size === undefined ? [] : [size]),
  ];
}

function scoredAs({ name, meaning }: ScoreFilter, atLeast: number): Record<string, unknown> {
  const isSuccess = meaning === 'success';
  const values = [{ value: isSuccess ? { $gte: atLeast } : { $lt: atLeast } }, { value: isSuccess }];
  return { scored: { $elemMatch: { name, $or: values } } };
}

function rangeOf(field: string, bounds: Record<string, number | undefined>): Record<string, unknown> {
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined);
  return given.length === 0 ? {} : { [field]: Object.fromEntries(given) };
}

/**
 * Filter by a score, as the project means it: undefined if it names scores, and not this one, which then means nothing.
 */
export function scoreFilter(
  { name, meaning }: NonNullable<ConversationQuery['score']>,
  successScores: readonly SuccessScore[],
): ScoreFilter | undefined {
  if (successScores.length === 0) return { name, meaning };
  const named = successScores.find((score) => score.name === name);
  return named && { name, meaning, atLeast: named.atLeast };
}
