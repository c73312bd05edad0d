import type { ResourceKind } from './resource.ts';

/** A project's claim on a resource of a node. One that was given back is remembered for a while, for those who look. */
export interface Holding {
  id: string;
  projectId: string;
  node: string;
  kind: ResourceKind;
  resourceId: string;
  /** Null for an engine. */
  modelId: string | null;
  profileId: string | null;
  /** Of a service: the engine that it runs on. */
  engine: string | null;
  /** The incarnation that the project took or gave back. */
  generation: number;
  held: boolean;
  /** Of one that was given back: whether what it was about was done by then. */
  endedAs: 'complete' | 'incomplete' | null;
  createdAt: number;
  updatedAt: number;
}

/** What of a holding is shown. */
export type HoldingState = Pick<Holding, 'held' | 'generation' | 'endedAs' | 'createdAt' | 'updatedAt'>;

/** What a resource is about, for a project. */
export type Subject = Pick<Holding, 'modelId' | 'profileId'> & Partial<Pick<Holding, 'engine'>>;

export const NO_MODEL: Subject = { modelId: null, profileId: null };

export function holdingId(projectId: string, resourceId: string): string {
  return `${projectId}/${resourceId}`;
}

/** What generations of a kind are counted for: an engine, or a profile whatever its files are. */
export function subjectId(
  { node, kind, resourceId }: Pick<Holding, 'node' | 'kind' | 'resourceId'>,
  { modelId, profileId }: Subject,
): string {
  return modelId === null ? resourceId : `${node}/${kind}/${modelId}/${profileId ?? ''}`;
}

/** How long one that was given back is shown. */
export const ENDED_HOLDING_TTL_MS = 3_600_000;
