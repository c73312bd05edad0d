import { join } from 'node:path';
import { runScript } from './child.ts';

/** Requests at a fixed rate, sent even if earlier ones are not answered yet. */
export interface PacedLoad {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  requestsPerSecond: number;
}

export interface PacedResult {
  /** Latency since the time a request was due, so that a stall counts for all requests that waited in it. */
  p50Ms: number;
  p99Ms: number;
  requests: number;
  failures: number;
}

const SCRIPT = join(import.meta.dirname, 'run-paced-load.ts');

/** Measures latencies at a fixed rate, in a separate process. (autocannon sends its rate in bursts of one second.) */
export async function measurePaced(load: PacedLoad): Promise<PacedResult> {
  return JSON.parse(await runScript(SCRIPT, { args: [JSON.stringify(load)] })) as PacedResult;
}
