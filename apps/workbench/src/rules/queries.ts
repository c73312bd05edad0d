import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';
import { isRunning } from './backfill.ts';

const MANY = 500;
const WATCH_MS = 2_000;

/** Key of everything about the Rules of a project. */
export const rulesKey = (projectId: string) => ['rules', projectId] as const;

export const rulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...rulesKey(projectId), 'list'],
    queryFn: ({ signal }) => clew.rules.list({ project: projectId, signal }).toArray({ max: MANY }),
  });

export const ruleQuery = (projectId: string, ruleId: string) =>
  queryOptions({
    queryKey: [...rulesKey(projectId), 'one', ruleId],
    queryFn: ({ signal }) => clew.rules.get(ruleId, { project: projectId, signal }),
  });

/** Backfills of all Rules that are under way. */
export const runningRuleBackfillsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['rule-backfills', projectId, 'running'],
    queryFn: ({ signal }) =>
      clew.rules.backfills.list({ state: 'scheduled,running', project: projectId, signal }).toArray({ max: MANY }),
    refetchInterval: ({ state: { data } }) => ((data ?? []).length > 0 ? WATCH_MS : false),
  });

/** Backfills of a Rule, read again while one of them runs. */
export const backfillsQuery = (projectId: string, ruleId: string) =>
  infiniteQueryOptions({
    queryKey: ['rule-backfills', projectId, ruleId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.rules.backfills.list({ ruleId, limit: 20, cursor: pageParam, project: projectId, signal })),
    ...paged,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isRunning)) === true ? WATCH_MS : false,
  });
