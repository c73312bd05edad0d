import {
  deletePerson,
  getPerson,
  listMembers,
  listPeople,
  removeMember,
  setMember,
  updatePerson,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { PersonActor } from './change-person.ts';
import type { MembersService } from './members.service.ts';
import type { PeopleService } from './people.service.ts';

export function memberRoutes(members: MembersService): Route[] {
  return [
    route(listMembers, async ({ params, query }, context) =>
      answer(200, await members.list(callerOf(context), params.projectId, query)),
    ),
    route(setMember, async ({ params, body }, context) =>
      answer(200, await members.set(actorOf(context), params, body.role)),
    ),
    route(removeMember, async ({ params }, context) => {
      await members.remove(actorOf(context), params);
      return answer(204, null);
    }),
  ];
}

export function peopleRoutes(people: PeopleService): Route[] {
  return [
    route(listPeople, async ({ query }, context) => answer(200, await people.list(callerOf(context), query))),
    route(getPerson, async ({ params }, context) => {
      const { person, etag } = await people.get(callerOf(context), params.personId);
      return answer(200, person, { etag });
    }),
    route(updatePerson, async ({ params, body }, context) => {
      const precondition = preconditionOf(context.request);
      const check = (tag: string) => precondition.check(tag);
      const { person, etag } = await people.change(actorOf(context), params.personId, body, check);
      return answer(200, person, { etag });
    }),
    route(deletePerson, async ({ params }, context) => {
      await people.remove(actorOf(context), params.personId);
      return answer(204, null);
    }),
  ];
}

function actorOf(context: RequestContext): PersonActor {
  return { caller: callerOf(context), origin: originOf(context) };
}
