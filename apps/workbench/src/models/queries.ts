import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';
import { modelsKey } from '../runtime/queries.ts';

const MINUTE_MS = 60_000;
const MANY = 500;

export const availabilityQuery = (projectId: string, model: string, purpose: 'general' | 'judgement' | 'embedding') =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'availability', model, purpose],
    queryFn: ({ signal }) => clew.models.availability({ model, purpose, project: projectId, signal }),
    staleTime: MINUTE_MS,
  });

export const providersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'providers'],
    queryFn: ({ signal }) => clew.providers.list({ project: projectId, signal }).toArray({ max: MANY }),
  });

export const modelSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'settings'],
    queryFn: async ({ signal }) => (await clew.models.settings.get({ project: projectId, signal })).settings,
  });

export const modelQuery = (projectId: string, modelId: string) =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'one', modelId],
    queryFn: ({ signal }) => clew.models.get(modelId, { project: projectId, signal }),
  });

export const hubTokenQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'hub-token'],
    queryFn: ({ signal }) => clew.models.hubToken.get({ project: projectId, signal }),
  });

export type CatalogQuery = Omit<NonNullable<Parameters<typeof clew.models.list>[0]>, 'cursor' | 'project'>;

export const catalogQuery = (projectId: string, query: CatalogQuery) =>
  infiniteQueryOptions({
    queryKey: [...modelsKey(projectId), 'catalog', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.models.list({ ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
    staleTime: 5 * MINUTE_MS,
  });
