import { CALLED_SERVICES, SERVICE_NAMES, type CalledService, type ServiceName } from '@clew/contracts';
import { allRoutes } from '@clew/contracts/all-routes';

/**
 * Services that a process calls: for the gateway those with a public route, for others those whose internal routes
 * allow the caller.
 */
export function callsOf(caller: ServiceName): readonly CalledService[] {
  const called = allRoutes().filter(({ access }) =>
    access.kind === 'internal' ? access.services.includes(caller) : caller === 'gateway',
  );
  return CALLED_SERVICES.filter((name) => called.some(({ service }) => service === name));
}

/** Processes that call a service. */
export function callersOf(called: ServiceName): readonly ServiceName[] {
  return SERVICE_NAMES.filter((caller) => callsOf(caller).some((name) => name === called));
}
