import { describe, expect, it } from '@jest/globals';
import { allRoutes } from './all-routes.ts';
import { SERVICE_NAMES } from './services.ts';
import { drainMsOf, drainMsWithin, graceMsOf, terminationSecondsOf, WHOLE_CALL_MS } from './shutdown.ts';

describe('the time in which a process ends', () => {
  it('holds the longest call that the process answers, at the gateway that of any', () => {
    for (const { service, routeClass = 'json' } of allRoutes()) {
      for (const name of [service, 'gateway'] as const) {
        expect(drainMsOf(name)).toBeGreaterThanOrEqual(WHOLE_CALL_MS[routeClass]);
      }
    }
    expect(drainMsOf('gateway')).toBe(240_000);
    expect(drainMsOf('diagnostics-svc')).toBe(WHOLE_CALL_MS.json);
    expect(drainMsOf('jobs-worker')).toBe(300_000);
    // The engines of this process end with it.
    expect(drainMsOf('model-runtime-agent')).toBe(WHOLE_CALL_MS.inference);
  });

  it('is over before anybody ends the process by force', () => {
    for (const name of SERVICE_NAMES) {
      expect(terminationSecondsOf(name) * 1_000).toBeGreaterThan(graceMsOf(name) + 5_000);
      expect(drainMsWithin(graceMsOf(name))).toBeGreaterThanOrEqual(drainMsOf(name));
    }
  });

  it('leaves calls half of a time that is set short', () => {
    expect(drainMsWithin(10_000)).toBe(5_000);
  });
});
