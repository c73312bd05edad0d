import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { PlayedNode } from './node.ts';

/** Long enough to build the control plane, if no test has done so before. */
export const START_TIMEOUT_MS = 7_200_000;

/** Empty cluster: a real control plane and a simulated machine. */
export interface EmptyCluster {
  readonly plane: ControlPlane;
  readonly node: PlayedNode;
  /** Folder for files that a test writes. */
  readonly folder: string;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<EmptyCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-control-plane-'));
  const plane = await startControlPlane(join(folder, 'control-plane'));
  const node = new PlayedNode(plane.api);
  const stop = async () => {
    try {
      await node.stop();
    } finally {
      await plane.stop();
      rmSync(folder, { recursive: true });
    }
  };
  return { plane, node, folder, stop };
}
