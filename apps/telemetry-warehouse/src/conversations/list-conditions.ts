import type { ConversationQuery, SuccessScore } from '@clew/contracts';
import type { IndexedValue, ValuedFilter } from '@clew/persistence';
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

/** Filter of a list; its flags and the range of its order are held by the indexes. */
export interface ListConditions extends ValuedFilter {
  indexed: Record<string, unknown>;
}

const EITHER = { $in: [false, true] } as const;

/** Conditions of a filter; undefined if nothing can fulfil them. */
export function listConditions(projectId: string, filter: ConversationFilter): ListConditions | undefined {
  const terms = filter.q === undefined ? [] : termsOf([filter.q]);
  // A search text without any word finds nothing.
  if (filter.q !== undefined && terms.length === 0) return undefined;
  const { hasError, hasFinding, state, startedAfter, startedBefore, minMessages } = filter;
  const values: IndexedValue[] = [
    ...facetsIn(filter).map((value) => ({ field: 'facets' as const, value })),
    ...terms.map((value) => ({ field: 'terms' as const, value })),
  ];
  return {
    values: values.length === 0 ? [{ field: 'facets', value: ANY }] : values,
    scope: { projectId, listed: true },
    indexed: {
      // An absent flag stands for both of its values, so that the index gives the order.
      ...{ hasError: hasError ?? EITHER, hasFinding: hasFinding ?? EITHER },
      isReady: state === undefined ? EITHER : state === 'ready',
      ...rangeOf('startedAt', { $gte: startedAfter, $lt: startedBefore }),
    },
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
