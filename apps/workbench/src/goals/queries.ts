import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';
import { knowledgeKey } from '../knowledge/queries.ts';
import { isUnderWay } from './backfill.ts';

const MANY = 500;
/** Time between two looks at backfills that are under way. */
const LOOK_MS = 2_500;

export const goalsKey = (projectId: string) => [...knowledgeKey(projectId), 'goals'] as const;
export const backfillsKey = (projectId: string) => [...knowledgeKey(projectId), 'backfills'] as const;
export const settingsKey = (projectId: string) => [...knowledgeKey(projectId), 'settings'] as const;

export const goalQuery = (projectId: string, goalId: string) =>
  queryOptions({
    queryKey: [...goalsKey(projectId), goalId],
    queryFn: ({ signal }) => clew.knowledge.goals.get(goalId, { project: projectId, signal }),
  });

export const knowledgeSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: settingsKey(projectId),
    queryFn: async ({ signal }) => (await clew.knowledge.settings.get({ project: projectId, signal })).settings,
  });

/** Backfills of all goals that are under way. */
export const runningBackfillsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...backfillsKey(projectId), 'running'],
    queryFn: async ({ signal }) => {
      const read = (state: 'running' | 'scheduled') =>
        clew.knowledge.backfills.list({ state, project: projectId, signal }).toArray({ max: MANY });
      return (await Promise.all([read('running'), read('scheduled')])).flat();
    },
    refetchInterval: ({ state }) => ((state.data ?? []).length > 0 ? LOOK_MS : false),
  });

export const backfillsQuery = (projectId: string, goalId: string) =>
  infiniteQueryOptions({
    queryKey: [...backfillsKey(projectId), goalId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.knowledge.backfills.listOfGoal(goalId, { limit: 20, cursor: pageParam, project: projectId, signal }),
      ),
    ...paged,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) === true ? LOOK_MS : false,
  });
