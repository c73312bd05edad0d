import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { cachedPage, paged } from '../api/queries.ts';

const MINUTE_MS = 60_000;
const MANY = 500;

/** Key of everything about the Datasets of a project. */
export const datasetsKey = (projectId: string) => ['datasets', projectId] as const;

export type DatasetListQuery = Omit<NonNullable<Parameters<typeof clew.datasets.list>[0]>, 'cursor' | 'project'>;

export const datasetListQuery = (projectId: string, query: DatasetListQuery) =>
  infiniteQueryOptions({
    queryKey: [...datasetsKey(projectId), 'list', query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.datasets.list({ ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
  });

/** Dataset with its entity tag, for changes that must not undo those of somebody else. */
export const datasetQuery = (projectId: string, datasetId: string) =>
  queryOptions({
    queryKey: [...datasetsKey(projectId), 'one', datasetId],
    queryFn: async ({ signal }) => {
      const { data, etag } = await clew.datasets.get(datasetId, { project: projectId, signal }).withResponse();
      return { dataset: data, etag };
    },
  });

/** Key of the lists of the Examples of a Dataset. */
export const exampleListKey = (projectId: string, datasetId: string) =>
  [...datasetsKey(projectId), 'examples', datasetId] as const;

export type ExampleListQuery = Omit<NonNullable<Parameters<typeof clew.examples.list>[1]>, 'cursor' | 'project'>;
export type ExampleCountQuery = Omit<NonNullable<Parameters<typeof clew.examples.count>[1]>, 'project'>;

export const exampleListQuery = (projectId: string, datasetId: string, query: ExampleListQuery) =>
  infiniteQueryOptions({
    queryKey: [...exampleListKey(projectId, datasetId), query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.examples.list(datasetId, { ...query, cursor: pageParam, project: projectId, signal })),
    ...paged,
    placeholderData: keepPreviousData,
    // Rows never move by themselves under the cursor.
    staleTime: Infinity,
    gcTime: 10 * MINUTE_MS,
  });

export const exampleCountQuery = (projectId: string, datasetId: string, query: ExampleCountQuery) =>
  queryOptions({
    queryKey: [...datasetsKey(projectId), 'count', datasetId, query],
    queryFn: ({ signal }) => clew.examples.count(datasetId, { ...query, project: projectId, signal }),
    placeholderData: keepPreviousData,
  });

/** Example with its entity tag; at a version, if one is named. */
export const exampleQuery = (projectId: string, datasetId: string, exampleId: string, version?: number) =>
  queryOptions({
    queryKey: [...datasetsKey(projectId), 'example', datasetId, exampleId, version ?? null],
    queryFn: async ({ signal }) => {
      const asked = clew.examples.get(datasetId, exampleId, { version, project: projectId, signal });
      const { data, etag } = await asked.withResponse();
      return { example: data, etag };
    },
  });

export const versionsQuery = (projectId: string, datasetId: string) =>
  infiniteQueryOptions({
    queryKey: [...datasetsKey(projectId), 'versions', datasetId],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(clew.datasets.versions.list(datasetId, { limit: 50, cursor: pageParam, project: projectId, signal })),
    ...paged,
  });

export const versionDiffQuery = (projectId: string, datasetId: string, from: number, to: number) =>
  infiniteQueryOptions({
    queryKey: [...datasetsKey(projectId), 'diff', datasetId, from, to],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.datasets.versions.diff(datasetId, {
          ...{ from, to, include: 'examples', limit: 50 },
          ...{ cursor: pageParam, project: projectId, signal },
        }),
      ),
    ...paged,
    staleTime: Infinity,
  });

export type DecisionListQuery = Omit<
  NonNullable<Parameters<typeof clew.datasets.collection.decisions>[1]>,
  'cursor' | 'project'
>;

export const decisionsQuery = (projectId: string, datasetId: string, query: DecisionListQuery) =>
  infiniteQueryOptions({
    queryKey: [...datasetsKey(projectId), 'decisions', datasetId, query],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.datasets.collection.decisions(datasetId, { ...query, cursor: pageParam, project: projectId, signal }),
      ),
    ...paged,
    placeholderData: keepPreviousData,
  });

/** Learning Goals, to which a Dataset that teaches Knowledge may be narrowed. */
export const goalChoicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...datasetsKey(projectId), 'goals'],
    queryFn: ({ signal }) => clew.knowledge.goals.list({ project: projectId, signal }).toArray({ max: MANY }),
    staleTime: MINUTE_MS,
  });
