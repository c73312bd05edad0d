import { decideDevice, getDeviceToken, startDevice } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { signedInOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { DevicesService } from './devices.service.ts';

const NO_STORE = { 'cache-control': 'no-store' } as const;

export function deviceRoutes(devices: DevicesService): Route[] {
  return [
    route(startDevice, async ({ body }, context) =>
      answer(200, await devices.start(body.name, originOf(context)), NO_STORE),
    ),
    route(getDeviceToken, async ({ body }, context) =>
      answer(200, await devices.token(body.deviceCode, originOf(context)), NO_STORE),
    ),
    route(decideDevice, async ({ body }, context) => {
      const decider = { user: signedInOf(context).user, origin: originOf(context) };
      return answer(200, await devices.decide(body, decider), NO_STORE);
    }),
  ];
}
