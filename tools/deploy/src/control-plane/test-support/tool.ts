import type { Built } from './installation.ts';
import type { KubeObject } from './objects.ts';

/** A tool that brings a cluster to what an overlay says. */
export interface Tool {
  readonly name: string;
  /** Whether it takes away what an overlay no longer holds. */
  readonly prunes: boolean;
  /** Resolves when the tool would tell of success: everything is there, and well. */
  apply(built: Built): Promise<void>;
  /** Takes away all that it has applied. */
  remove(objects: readonly KubeObject[]): Promise<void>;
}
