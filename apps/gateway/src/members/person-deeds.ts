import type { AuditAction } from '@clew/contracts';
import type { StoredUser } from '../people/user.ts';
import { membershipIn } from './member.ts';

/** Deed as the audit has it: one change of a person may be several. */
export interface PersonDeed {
  action: Extract<AuditAction, `person.${string}` | `member.${string}`>;
  projectId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Lists what was done to a person; undefined is one who is not there. */
export function deedsOf(before: StoredUser | undefined, after: StoredUser | undefined): PersonDeed[] {
  if (before === undefined || after === undefined) {
    const action = before === undefined ? ('person.created' as const) : ('person.deleted' as const);
    return [{ action, projectId: null, before: shown(before), after: shown(after) }];
  }
  return [...ofPerson(before, after), ...ofMembers(before, after)];
}

function ofPerson(before: StoredUser, after: StoredUser): PersonDeed[] {
  const changed = <Key extends 'name' | 'owner' | 'state'>(key: Key, action: PersonDeed['action']): PersonDeed[] =>
    before[key] === after[key]
      ? []
      : [{ action, projectId: null, before: { [key]: before[key] }, after: { [key]: after[key] } }];
  return [
    ...changed('name', 'person.renamed'),
    ...changed('owner', 'person.role-changed'),
    ...changed('state', after.state === 'active' ? 'person.reactivated' : 'person.deactivated'),
  ];
}

function ofMembers(before: StoredUser, after: StoredUser): PersonDeed[] {
  const projects = new Set([...before.memberships, ...after.memberships].map(({ projectId }) => projectId));
  return [...projects].flatMap((projectId) => {
    const [had, has] = [membershipIn(before, projectId)?.role, membershipIn(after, projectId)?.role];
    if (had === has) return [];
    const action = had === undefined ? 'added' : has === undefined ? 'removed' : 'role-changed';
    const roles = { before: had === undefined ? null : { role: had }, after: has === undefined ? null : { role: has } };
    return [{ action: `member.${action}` as const, projectId, ...roles }];
  });
}

function shown(user: StoredUser | undefined): Record<string, unknown> | null {
  if (user === undefined) return null;
  const { email, name, owner, state, memberships } = user;
  return { email, name, owner, state, memberships };
}
