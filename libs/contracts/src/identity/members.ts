import { z } from 'zod';
import { pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Person, Role, UserId } from './people.ts';

/** Person in a project. Owners have every project without being a member of it. */
export const Member = z
  .object({
    userId: UserId,
    email: z.string(),
    name: z.string(),
    role: Role,
    managedBy: z.string().nullable().meta({
      description: 'The sign-in provider that gave the role, which is then not changed here; null if people did',
    }),
    owner: Person.shape.owner,
    state: Person.shape.state,
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const MANAGE = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['project:members:manage'] } as const;
const ALL = { service: 'gateway', tag: 'People', access: MANAGE, path: '/v1/projects/:projectId/members' } as const;
const ONE = {
  ...ALL,
  path: `${ALL.path}/:userId`,
  params: ProjectParams.extend({ userId: UserId }),
} as const;

export const listMembers = defineRoute({
  ...ALL,
  operationId: 'listMembers',
  sdk: 'members.list',
  method: 'get',
  summary: 'List the members of a project, those that came to Clew last first',
  description: 'People who have a role in this project. Owners have every project without being members of it.',
  params: ProjectParams,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ members: z.array(Member), nextCursor: z.string().nullable() }) },
});

export const setMember = defineRoute({
  ...ONE,
  operationId: 'setMember',
  sdk: 'members.set',
  method: 'put',
  summary: 'Give a person of the workspace a role in the project, or another one',
  description:
    'Their sessions have the new role within a second. A role that a sign-in provider manages is not changed here.',
  body: z.strictObject({ role: Role }),
  responses: { 200: Member },
  errors: ['MEMBER_MANAGED', 'CONFLICT'],
});

export const removeMember = defineRoute({
  ...ONE,
  operationId: 'removeMember',
  sdk: 'members.remove',
  method: 'delete',
  summary: 'Take a person out of the project; safe to repeat',
  description: 'Keys that they made for the project stay, and can be revoked.',
  responses: { 204: null },
  errors: ['MEMBER_MANAGED'],
});
