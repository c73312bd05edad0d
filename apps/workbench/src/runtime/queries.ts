import { queryOptions } from '@tanstack/react-query';
import { clew } from '../api/client.ts';
import { isBusy } from './preparation.ts';

/** Time between two looks at the node, while it works for the project and otherwise. */
const BUSY_MS = 1_500;
const IDLE_MS = 30_000;

/** Key of everything about the models of a project. */
export const modelsKey = (projectId: string) => ['models', projectId] as const;

export const runtimeQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...modelsKey(projectId), 'runtime'],
    queryFn: ({ signal }) => clew.models.runtime({ project: projectId, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isBusy(state.data) ? BUSY_MS : IDLE_MS),
  });
