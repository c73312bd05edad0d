import { statfs } from 'node:fs/promises';
import type { NodeFacts } from '@clew/model-runtime';
import { EngineHostAway, GPU_QUERY_PROGRAM, type EngineHost } from '../engine-host/index.ts';
import { printedBy } from '../processes/index.ts';

const MIB = 1024 * 1024;
const GPU_QUERY = ['--query-gpu=name,memory.total', '--format=csv,noheader,nounits'];
const GPU_QUERY_TIMEOUT_MS = 10_000;

/** Reads the resources of the node that engines may use. */
export async function readNodeFacts(home: string, host: EngineHost, gpus: NodeFacts['gpus']): Promise<NodeFacts> {
  const { bsize, blocks, bavail } = await statfs(home);
  return {
    memory: await host.memory(),
    disk: { totalBytes: bsize * blocks, freeBytes: bsize * bavail },
    gpus,
  };
}

/** Reads the accelerators that vLLM can use; none if their driver is not installed. */
export type ReadGpus = () => Promise<NodeFacts['gpus']>;

/** Looks for accelerators once; again only if engines could not be run to find out. */
export function createGpuReader(home: string, host: EngineHost): ReadGpus {
  let known: NodeFacts['gpus'] | undefined;
  return async () => {
    known ??= await lookForGpus(home, host).catch((error: unknown) => {
      if (error instanceof EngineHostAway) return undefined;
      throw error;
    });
    return known ?? [];
  };
}

async function lookForGpus(home: string, host: EngineHost): Promise<NodeFacts['gpus']> {
  const options = { cwd: home, timeoutMs: GPU_QUERY_TIMEOUT_MS };
  const printed = await printedBy(host, [GPU_QUERY_PROGRAM, ...GPU_QUERY], options);
  return (printed ?? '')
    .split('\n')
    .map((line) => /^(.+), *(\d+)$/.exec(line.trim()))
    .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? '', memoryBytes: Number(match[2]) * MIB }]));
}
