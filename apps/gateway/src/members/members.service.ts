import { notFound, page, type CursorCodec, type PageQuery } from '@clew/kernel';
import type { Member, Role } from '@clew/contracts';
import type { GatewayCaller } from '../caller.ts';
import type { StoredUser } from '../people/user.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import { requirePerson, type ChangePerson, type PersonActor, type PersonRule } from './change-person.ts';
import { membershipIn, memberView, released, withoutRole, withRole, type IsManager } from './member.ts';
import { MEMBERS, type PeopleLists } from './people.store.ts';

export interface MemberTarget {
  projectId: string;
  userId: string;
}

export interface MembersDependencies {
  lists: Pick<PeopleLists, 'ofProject'>;
  projects: Pick<ProjectStore, 'get'>;
  changePerson: ChangePerson;
  cursors: CursorCodec;
  isManager: IsManager;
}

export type MembersService = ReturnType<typeof createMembersService>;

/** Members of a project: people with a role in it. */
export function createMembersService({ lists, projects, changePerson, cursors, isManager }: MembersDependencies) {
  return {
    async list({ workspaceId }: GatewayCaller, projectId: string, query: PageQuery) {
      const { items, nextCursor } = await page(cursors, MEMBERS, { projectId, ...query }, (slice) =>
        lists.ofProject({ workspaceId, projectId }, slice),
      );
      return { members: items.map((user) => viewIn(projectId, released(user, isManager))), nextCursor };
    },

    /** Gives a role to any person of the workspace, whether a member already or not. */
    async set(actor: PersonActor, { projectId, userId }: MemberTarget, role: Role): Promise<Member> {
      const rule: PersonRule = (rights, person) => withRole(rights, released(person, isManager), projectId, role);
      const user = await changePerson(actor, userId, rule, async (tx) => {
        // A project that was deleted meanwhile gets no new members.
        if ((await projects.get(actor.caller.workspaceId, projectId, tx)) === undefined) throw notFound();
      });
      return viewIn(projectId, requirePerson(user));
    },

    async remove(actor: PersonActor, { projectId, userId }: MemberTarget): Promise<void> {
      await changePerson(actor, userId, (rights, person) =>
        withoutRole(rights, released(person, isManager), projectId),
      );
    },
  };
}

function viewIn(projectId: string, user: StoredUser): Member {
  const membership = membershipIn(user, projectId);
  if (membership === undefined) throw notFound();
  return memberView(user, membership);
}
