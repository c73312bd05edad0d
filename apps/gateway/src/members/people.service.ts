import { page, sha256Hex, type CursorCodec, type PageQuery } from '@clew/kernel';
import type { Person, PersonChange } from '@clew/contracts';
import type { GatewayCaller } from '../caller.ts';
import { personView, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import { requirePerson, type ChangePerson, type PersonActor } from './change-person.ts';
import { changed, requireWholeWorkspace } from './member.ts';
import { PEOPLE, type PeopleFilter, type PeopleLists } from './people.store.ts';
import type { ReadRights } from './read-rights.ts';
import { manages, requireCovers, type Rights } from './rights.ts';

export interface PeopleDependencies {
  lists: Pick<PeopleLists, 'ofWorkspace'>;
  users: Pick<UserStore, 'get'>;
  readRights: Pick<ReadRights, 'ofCaller'>;
  changePerson: ChangePerson;
  /** Revokes the keys that a removed person made, which work no more already. */
  revokeKeysOf: (actor: PersonActor, userId: string) => Promise<void>;
  cursors: CursorCodec;
}

export type PeopleService = ReturnType<typeof createPeopleService>;

interface TaggedPerson {
  person: Person;
  etag: string;
}

/** People of a workspace, for those who manage members anywhere in it. */
export function createPeopleService(deps: PeopleDependencies) {
  const { lists, users, readRights, changePerson, cursors } = deps;

  return {
    async list(caller: GatewayCaller, { q, state, ...query }: PageQuery & PeopleFilter) {
      const { workspaceId } = caller;
      const rights = await readRights.ofCaller(caller);
      const request = { projectId: workspaceId, filters: { q, state }, ...query };
      const { items, nextCursor } = await page(cursors, PEOPLE, request, (slice) =>
        lists.ofWorkspace(workspaceId, { q, state }, slice),
      );
      return { people: items.map((user) => seenWith(rights, user)), nextCursor };
    },

    async get(caller: GatewayCaller, userId: string): Promise<TaggedPerson> {
      const rights = await readRights.ofCaller(caller);
      const user = await users.get(userId);
      return tagged(rights, requirePerson(user?.workspaceId === caller.workspaceId ? user : undefined));
    },

    /** Changes a person; `check` gets the entity tag of the current state, and throws if it is not the one expected. */
    async change(
      actor: PersonActor,
      userId: string,
      change: PersonChange,
      check: (etag: string) => void,
    ): Promise<TaggedPerson> {
      // Rights from before the change: somebody who deactivates themselves has none afterwards.
      let rights: Rights | undefined;
      const user = await changePerson(actor, userId, (own, before) => {
        check(etagOf(before));
        rights = own;
        return changed(own, before, change);
      });
      return tagged(rights, requirePerson(user));
    },

    async remove(actor: PersonActor, userId: string): Promise<void> {
      await changePerson(actor, userId, (rights, user) => {
        requireWholeWorkspace(rights);
        requireCovers(rights, user);
        return undefined;
      });
      await deps.revokeKeysOf(actor, userId);
    },
  };
}

function tagged(rights: Rights | undefined, user: StoredUser): TaggedPerson {
  return { person: seenWith(rights, user), etag: etagOf(user) };
}

/** Person as shown to somebody: roles in projects that they do not manage are none of their business. */
function seenWith(rights: Rights | undefined, user: StoredUser): Person {
  const person = personView(user);
  const isShown = (projectId: string) => rights !== undefined && manages(rights, projectId);
  return { ...person, memberships: person.memberships.filter(({ projectId }) => isShown(projectId)) };
}

function etagOf({ id, version }: Pick<StoredUser, 'id' | 'version'>): string {
  return `"${sha256Hex(JSON.stringify([id, version])).slice(0, 32)}"`;
}
