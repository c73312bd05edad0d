import { allRoutes } from './all-routes.ts';
import type { RouteClass } from './route.ts';
import { serviceDefinition, type ServiceName } from './services.ts';

/**
 * How long a call of each class may still take once its process is told to stop. A call that is over by then ends whole,
 * a longer one is broken off: an import goes on from there when it is repeated with its key. Events without an end are
 * told to end at once, since their reader asks again.
 */
export const WHOLE_CALL_MS: Readonly<Record<RouteClass, number>> = {
  json: 30_000,
  batch: 120_000,
  otlp: 120_000,
  inference: 240_000,
  audio: 240_000,
  stream: 240_000,
};

/** Time in which callers learn to take another connection: under load they use each that they keep within it. */
export const LAME_DUCK_MS = 1_000;
/** Time for what goes on beside the calls (consumers, loops, the relay) and for what all stand on. */
const PARTS_MS = 30_000;
/** Time in which endpoints learn of the end, before the process does. */
export const PRE_STOP_SECONDS = 5;
/** A process ends by itself; whoever would end it by force waits for so much longer. */
const MARGIN_SECONDS = 10;

/** How long a process that stops waits, at most, for the calls and jobs that it has in hand, in milliseconds. */
export function drainMsOf(name: ServiceName): number {
  const { jobMs = 0, runsEngines = false } = serviceDefinition(name);
  const enginesMs = runsEngines ? WHOLE_CALL_MS.inference : 0;
  const answered = allRoutes().filter(({ service }) => name === 'gateway' || service === name);
  const callsMs = answered.map(({ routeClass = 'json' }) => WHOLE_CALL_MS[routeClass]);
  return Math.max(WHOLE_CALL_MS.json, jobMs, enginesMs, ...callsMs);
}

/** How long a process may take to end, in milliseconds. */
export function graceMsOf(name: ServiceName): number {
  return LAME_DUCK_MS + drainMsOf(name) + PARTS_MS;
}

/** The share of calls and jobs in the time that a process has to end, in milliseconds: at least half of it. */
export function drainMsWithin(graceMs: number): number {
  return Math.max(graceMs - LAME_DUCK_MS - PARTS_MS, graceMs / 2);
}

/** The seconds after which whoever told a process to end may end it by force. */
export function terminationSecondsOf(name: ServiceName): number {
  return PRE_STOP_SECONDS + Math.ceil(graceMsOf(name) / 1_000) + MARGIN_SECONDS;
}
