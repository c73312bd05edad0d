import { join } from 'node:path';
import { runProgram, runScript } from './child.ts';
import { findOnPath } from './find-on-path.ts';

/** One request, repeated over keep-alive connections as fast as it is answered. */
export interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
}

export interface Throughput {
  requests: number;
  requestsPerSecond: number;
  p99Ms: number;
  /** Answers other than 2xx, and broken connections. */
  failures: number;
}

const AUTOCANNON = join(import.meta.dirname, 'run-autocannon.ts');

/** Load generator: `wrk` if it is installed, since it leaves more processor time to the contenders. */
export const LOAD_TOOL = findOnPath('wrk') === undefined ? 'autocannon' : 'wrk';

/** Measures the throughput under full load, in a separate process. */
export async function measureThroughput(load: Load): Promise<Throughput> {
  if (LOAD_TOOL === 'wrk') return parseWrk(await runProgram('wrk', wrkArguments(load)));
  return JSON.parse(await runScript(AUTOCANNON, { args: [JSON.stringify(load)] })) as Throughput;
}

function wrkArguments({ url, headers, connections, seconds }: Load): string[] {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...headerArguments, url];
}

export function parseWrk(output: string): Throughput {
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const unitMs = { us: 0.001, ms: 1, s: 1000 }[unit];
  if (Number.isNaN(requestsPerSecond) || unitMs === undefined) throw new Error(`wrk printed no figures:\n${output}`);
  const refused = Number(/Non-2xx or 3xx responses:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const broken = [...(/Socket errors:(.*)/.exec(output)?.[1] ?? '').matchAll(/\d+/g)];
  const failures = broken.reduce((sum, [count]) => sum + Number(count), refused);
  return { requests, requestsPerSecond, p99Ms: Number(p99) * unitMs, failures };
}
