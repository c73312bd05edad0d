import type { Client } from './client.ts';
import { processorMs } from './processor-time.ts';
import { percentile, round } from './statistics.ts';

/** One request: how long it took, and the processor time that the service and the database spent meanwhile. */
export interface Timing {
  path: string;
  ms: number;
  serviceMs: number;
  mongodMs: number;
}

/** Processes whose time is measured; that of a foreign database is not known. */
export interface Measured {
  service: number;
  mongod: number | undefined;
}

/**
 * Creates a function that sends a request and notes what it took. Processor time comes in steps of a hundredth of a
 * second, so that only its mean over many requests tells something.
 */
export function createTimedRequests(client: Client, { service, mongod }: Measured) {
  const usedMs = () => [processorMs(service) ?? 0, mongod === undefined ? 0 : (processorMs(mongod) ?? 0)] as const;
  return async <Body>(path: string): Promise<{ timing: Timing; body: Body }> => {
    const [serviceMs, mongodMs] = usedMs();
    const begunAt = performance.now();
    const body = await client.json<Body>('GET', path);
    const ms = performance.now() - begunAt;
    const [serviceAfter, mongodAfter] = usedMs();
    return { timing: { path, ms, serviceMs: serviceAfter - serviceMs, mongodMs: mongodAfter - mongodMs }, body };
  };
}

/** Mean processor time of a request, in milliseconds. */
export function processorTimeOf(timings: readonly Timing[]): { serviceMs: number; mongodMs: number } {
  const meanOf = (name: 'serviceMs' | 'mongodMs') =>
    round(timings.reduce((sum, timing) => sum + timing[name], 0) / Math.max(1, timings.length), 1);
  return { serviceMs: meanOf('serviceMs'), mongodMs: meanOf('mongodMs') };
}

export function percentileOf(timings: readonly Timing[], share: number): number {
  return round(
    percentile(
      timings.map(({ ms }) => ms),
      share,
    ),
    1,
  );
}
