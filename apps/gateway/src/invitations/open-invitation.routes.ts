import { acceptInvitation, getOpenInvitation } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { personView } from '../people/user.ts';
import { originOf } from '../request-origin.ts';
import type { ReadBrowser } from '../links/read-browser.ts';
import type { AcceptInvitationService } from './accept-invitation.ts';

/** Routes for who has the link of an invitation. */
export function openInvitationRoutes(invitations: AcceptInvitationService, browserOf: ReadBrowser): Route[] {
  return [
    route(getOpenInvitation, async ({ params }, context) =>
      answer(200, await invitations.read(params.token, originOf(context).address), { 'cache-control': 'no-store' }),
    ),
    route(acceptInvitation, async ({ params, body }, context) => {
      const { user, setCookie } = await invitations.accept(params.token, body, browserOf(context));
      return answer(200, { person: personView(user) }, { 'set-cookie': setCookie, 'cache-control': 'no-store' });
    }),
  ];
}
