import type { Built } from './installation.ts';
import type { KubeObject } from './objects.ts';

/** Tool that brings a cluster to the state of an overlay. */
export interface Tool {
  readonly name: string;
  /** Whether it deletes objects that the overlay no longer contains. */
  readonly prunes: boolean;
  /** Resolves when the tool would report success: all objects exist and are healthy. */
  apply(built: Built): Promise<void>;
  /** Deletes everything that it has applied. */
  remove(objects: readonly KubeObject[]): Promise<void>;
}
