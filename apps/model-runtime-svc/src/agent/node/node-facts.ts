import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';
import type { NodeFacts } from '../../resources/index.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const GPU_QUERY = ['--query-gpu=name,memory.total', '--format=csv,noheader,nounits'];
const GPU_QUERY_TIMEOUT_MS = 10_000;

/** What the node has, as far as this process may use it. */
export async function readNodeFacts(home: string, gpus: NodeFacts['gpus']): Promise<NodeFacts> {
  const { bsize, blocks, bavail } = await statfs(home);
  // A container's limit, where there is one.
  const limitBytes = process.constrainedMemory();
  const totalBytes = limitBytes > 0 ? Math.min(limitBytes, os.totalmem()) : os.totalmem();
  return {
    memory: { totalBytes, availableBytes: Math.min(totalBytes, process.availableMemory()) },
    disk: { totalBytes: bsize * blocks, freeBytes: bsize * bavail },
    gpus,
  };
}

/** The accelerators that vLLM can use; none where their driver is not installed. */
export async function readGpus(): Promise<NodeFacts['gpus']> {
  try {
    const { stdout } = await run('nvidia-smi', GPU_QUERY, { timeout: GPU_QUERY_TIMEOUT_MS });
    return stdout
      .split('\n')
      .map((line) => /^(.+), *(\d+)$/.exec(line.trim()))
      .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? '', memoryBytes: Number(match[2]) * MIB }]));
  } catch {
    return [];
  }
}
