import { createResetLink, getOpenReset, useReset } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import type { ReadBrowser } from '../links/read-browser.ts';
import { personView } from '../people/user.ts';
import { originOf } from '../request-origin.ts';
import type { ResetsService } from './resets.service.ts';

const NO_STORE = { 'cache-control': 'no-store' } as const;

export function resetRoutes(resets: ResetsService, browserOf: ReadBrowser): Route[] {
  return [
    route(createResetLink, async ({ params }, context) => {
      const actor = { caller: callerOf(context), origin: originOf(context) };
      const made = await resets.create(actor, params.personId);
      return answer(201, made, { location: `/v1/people/${params.personId}`, ...NO_STORE });
    }),
    route(getOpenReset, async ({ params }, context) =>
      answer(200, await resets.read(params.token, originOf(context).address), NO_STORE),
    ),
    route(useReset, async ({ params, body }, context) => {
      const { user, setCookie } = await resets.use(params.token, body.password, browserOf(context));
      return answer(200, { person: personView(user) }, { 'set-cookie': setCookie, ...NO_STORE });
    }),
  ];
}
