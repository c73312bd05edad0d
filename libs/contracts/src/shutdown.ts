import { allRoutes } from './all-routes.ts';
import type { RouteClass } from './route.ts';
import { serviceDefinition, type ServiceName } from './services.ts';

/**
 * Time that a call of each class may still take after its process is told to stop. A call that ends by then is
 * complete; a longer one is broken off: an import continues from there when it is repeated with its key. Endless event
 * streams are told to end at once, because their readers reconnect.
 */
export const WHOLE_CALL_MS: Readonly<Record<RouteClass, number>> = {
  json: 30_000,
  batch: 120_000,
  otlp: 120_000,
  inference: 240_000,
  audio: 240_000,
  stream: 240_000,
};

/** Time in which callers learn to use another connection: under load they keep using each one they have. */
export const LAME_DUCK_MS = 1_000;
/** Time for the background tasks (consumers, loops, the relay) and for the shared connections. */
const PARTS_MS = 30_000;
/** Time in which the Kubernetes endpoints learn of the end, before the process does. */
export const PRE_STOP_SECONDS = 5;
/** Margin before a process is ended by force; normally it ends by itself. */
const MARGIN_SECONDS = 10;

/** Maximum time that a stopping process waits for the calls and jobs in hand, in milliseconds. */
export function drainMsOf(name: ServiceName): number {
  const { jobMs = 0, runsEngines = false } = serviceDefinition(name);
  const enginesMs = runsEngines ? WHOLE_CALL_MS.inference : 0;
  const answered = allRoutes().filter(({ service }) => name === 'gateway' || service === name);
  const callsMs = answered.map(({ routeClass = 'json' }) => WHOLE_CALL_MS[routeClass]);
  return Math.max(WHOLE_CALL_MS.json, jobMs, enginesMs, ...callsMs);
}

/** Maximum time that a process takes to end, in milliseconds. */
export function graceMsOf(name: ServiceName): number {
  return LAME_DUCK_MS + drainMsOf(name) + PARTS_MS;
}

/** Share of the shutdown time for calls and jobs, in milliseconds: at least half of it. */
export function drainMsWithin(graceMs: number): number {
  return Math.max(graceMs - LAME_DUCK_MS - PARTS_MS, graceMs / 2);
}

/** Seconds after which a process that was told to end may be ended by force. */
export function terminationSecondsOf(name: ServiceName): number {
  return PRE_STOP_SECONDS + Math.ceil(graceMsOf(name) / 1_000) + MARGIN_SECONDS;
}
