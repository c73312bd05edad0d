import { infiniteQueryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';
import type { ExpectationView } from './expectations-search.ts';

export const expectationsKey = (projectId: string) => ['expectations', projectId] as const;

export const expectationsQuery = (projectId: string, status: ExpectationView) =>
  infiniteQueryOptions({
    queryKey: [...expectationsKey(projectId), status],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.expectations.list({ status, limit: 100, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });
