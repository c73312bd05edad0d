import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { PlayedNode } from './node.ts';

/** Long enough for building the control plane, where no test has done it before. */
export const START_TIMEOUT_MS = 7_200_000;

/** An empty cluster: a real control plane, and a player of its machines. */
export interface EmptyCluster {
  readonly plane: ControlPlane;
  readonly node: PlayedNode;
  /** A folder for what a test writes. */
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
