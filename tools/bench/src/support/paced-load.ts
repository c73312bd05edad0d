import { join } from 'node:path';
import { runScript } from './child.ts';

/** Requests at a fixed rate, whether or not the earlier ones were answered. */
export interface PacedLoad {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  requestsPerSecond: number;
}

export interface PacedResult {
  /** From when a request was due, so that a stall counts for all that waited in it. */
  p50Ms: number;
  p99Ms: number;
  requests: number;
  failures: number;
}

const SCRIPT = join(import.meta.dirname, 'run-paced-load.ts');

/** Measures latencies at a fixed rate, from a process of its own. (The rate of autocannon comes in bursts of a second.) */
export async function measurePaced(load: PacedLoad): Promise<PacedResult> {
  return JSON.parse(await runScript(SCRIPT, { args: [JSON.stringify(load)] })) as PacedResult;
}
