import { createInvitation, createInvitationLink, listInvitations, withdrawInvitation } from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import type { PersonActor } from '../members/change-person.ts';
import { originOf } from '../request-origin.ts';
import type { InvitationsService } from './invitations.service.ts';

export function invitationRoutes(invitations: InvitationsService): Route[] {
  return [
    route(createInvitation, async ({ body }, context) => {
      const made = await invitations.create(actorOf(context), body);
      return answer(201, made, headersOfLink(made.invitation.id));
    }),
    route(listInvitations, async ({ query }, context) => answer(200, await invitations.list(callerOf(context), query))),
    route(createInvitationLink, async ({ params }, context) => {
      const made = await invitations.renew(actorOf(context), params.invitationId);
      return answer(201, made, headersOfLink(made.invitation.id));
    }),
    route(withdrawInvitation, async ({ params }, context) => {
      await invitations.withdraw(actorOf(context), params.invitationId);
      return answer(204, null);
    }),
  ];
}

function actorOf(context: RequestContext): PersonActor {
  return { caller: callerOf(context), origin: originOf(context) };
}

function headersOfLink(invitationId: string): Record<string, string> {
  return { location: `/v1/invitations/${invitationId}`, 'cache-control': 'no-store' };
}
