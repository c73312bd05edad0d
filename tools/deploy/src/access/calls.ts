import { CALLED_SERVICES, SERVICE_NAMES, type CalledService, type ServiceName } from '@clew/contracts';
import { allRoutes } from '@clew/contracts/all-routes';

/**
 * Which processes each one calls: the gateway those that answer a public route, and the others those that have an
 * internal route for them.
 */
export function callsOf(caller: ServiceName): readonly CalledService[] {
  const called = allRoutes().filter(({ access }) =>
    access.kind === 'internal' ? access.services.includes(caller) : caller === 'gateway',
  );
  return CALLED_SERVICES.filter((name) => called.some(({ service }) => service === name));
}

/** Who calls a process. */
export function callersOf(called: ServiceName): readonly ServiceName[] {
  return SERVICE_NAMES.filter((caller) => callsOf(caller).some((name) => name === called));
}
