import { normalised, takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import { findInOrder, keysetKey, NEWEST_FIRST, readSlice, type Database, type KeysetList } from '@clew/persistence';
import { fromUserDocument, userModel, type UserDocument } from '../people/user.model.ts';
import type { StoredUser } from '../people/user.ts';

export const PEOPLE: KeysetList = { name: 'people', order: NEWEST_FIRST };
export const MEMBERS: KeysetList = { name: 'members', order: NEWEST_FIRST };

export interface PeopleFilter {
  /** Part of the name or of the address. */
  q?: string | undefined;
  state?: StoredUser['state'] | undefined;
}

/** Lists of people, newest first. */
export interface PeopleLists {
  ofWorkspace(workspaceId: string, filter: PeopleFilter, slice: SliceRequest): Promise<Slice<StoredUser>>;
  ofProject(project: { workspaceId: string; projectId: string }, slice: SliceRequest): Promise<Slice<StoredUser>>;
}

const MAX_LOOKED_AT = 5_000;

export function createPeopleLists(database: Database): PeopleLists {
  const model = userModel(database.connection);
  return {
    async ofWorkspace(workspaceId, { q, state }, { limit, after }) {
      const filter = { workspaceId, ...(state === undefined ? {} : { state }) };
      const walk = findInOrder(model, PEOPLE.order, { filter, limit, after, sparse: q !== undefined });
      const { items, next } = await takeSlice(walk, {
        limit,
        keyOf: (document) => keysetKey(PEOPLE.order, document),
        ...(q === undefined ? {} : { among: { accepts: containing(q), maxLookedAt: MAX_LOOKED_AT } }),
      });
      return { items: items.map(fromUserDocument), next };
    },
    ofProject({ workspaceId, projectId }, slice) {
      const filter = { 'memberships.projectId': projectId, workspaceId };
      return readSlice(model, MEMBERS.order, { filter, ...slice }, fromUserDocument);
    },
  };
}

function containing(q: string): (user: UserDocument) => boolean {
  const wanted = folded(q);
  return ({ name, emailKey }) => emailKey.includes(wanted) || folded(name).includes(wanted);
}

function folded(text: string): string {
  return normalised(text, 'NFC').toLowerCase();
}
