import type { ResourceKind } from './resource.ts';

/**
 * Project's claim on a resource of a node. A claim that was given back is kept for a while, so that people can see it.
 */
export interface Holding {
  id: string;
  projectId: string;
  node: string;
  kind: ResourceKind;
  resourceId: string;
  /** Null for an engine. */
  modelId: string | null;
  profileId: string | null;
  /** Engine on which a service runs. */
  engine: string | null;
  /** Incarnation that the project took or gave back. */
  generation: number;
  held: boolean;
  /** For a claim given back: whether its resource was ready at that time. */
  endedAs: 'complete' | 'incomplete' | null;
  createdAt: number;
  updatedAt: number;
}

/** Fields of a holding that are shown. */
export type HoldingState = Pick<Holding, 'held' | 'generation' | 'endedAs' | 'createdAt' | 'updatedAt'>;

/** Model, profile and engine that a resource is for, from a project's view. */
export type Subject = Pick<Holding, 'modelId' | 'profileId'> & Partial<Pick<Holding, 'engine'>>;

export const NO_MODEL: Subject = { modelId: null, profileId: null };

export function holdingId(projectId: string, resourceId: string): string {
  return `${projectId}/${resourceId}`;
}

/** Id under which generations are counted: that of an engine, or of a profile, whatever its files are. */
export function subjectId(
  { node, kind, resourceId }: Pick<Holding, 'node' | 'kind' | 'resourceId'>,
  { modelId, profileId }: Subject,
): string {
  return modelId === null ? resourceId : `${node}/${kind}/${modelId}/${profileId ?? ''}`;
}

/** Time for which a claim that was given back is shown. */
export const ENDED_HOLDING_TTL_MS = 3_600_000;
