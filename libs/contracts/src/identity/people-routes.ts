import { z } from 'zod';
import { EpochMs, Name, pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Person, UserId } from './people.ts';

/** Time for which a reset link works. */
export const RESET_MS = 3_600_000;

export const PersonChange = z
  .strictObject({
    name: Name.optional(),
    state: Person.shape.state.optional().meta({
      description: 'A person who is deactivated has no session, and no key that they made works, until they are active',
    }),
    owner: Person.shape.owner.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something');
export type PersonChange = z.infer<typeof PersonChange>;

/** Link that a person opens to set a password. */
export const ResetLink = z
  .object({
    link: z.string().meta({ description: 'Works once; only a hash of its token is kept' }),
    expiresAt: EpochMs,
  })
  .meta({ id: 'ResetLink' });
export type ResetLink = z.infer<typeof ResetLink>;

const MANAGE = {
  kind: 'caller',
  scopes: ['workspace:admin'],
  permissions: ['workspace:admin', 'project:members:manage'],
} as const;
const OWN = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] } as const;
const ALL = { service: 'gateway', tag: 'People', path: '/v1/people' } as const;
const ONE = { ...ALL, path: `${ALL.path}/:personId`, params: z.object({ personId: UserId }) } as const;

export const listPeople = defineRoute({
  ...ALL,
  operationId: 'listPeople',
  sdk: 'people.list',
  method: 'get',
  summary: 'List the people of the workspace, newest first',
  description: 'Of their memberships, those are shown that are of projects whose members the caller manages.',
  access: MANAGE,
  query: z.strictObject({
    ...pageQuery(500, 100),
    q: z.string().trim().min(1).max(200).optional().meta({ description: 'A part of the name or of the address' }),
    state: Person.shape.state.optional(),
  }),
  responses: { 200: z.object({ people: z.array(Person), nextCursor: z.string().nullable() }) },
});

export const getPerson = defineRoute({
  ...ONE,
  operationId: 'getPerson',
  sdk: 'people.get',
  method: 'get',
  summary: 'Read one person of the workspace',
  description: 'With the projects in which they have a role, as far as the caller manages their members.',
  access: MANAGE,
  conditional: true,
  responses: { 200: Person },
});

export const updatePerson = defineRoute({
  ...ONE,
  operationId: 'updatePerson',
  sdk: 'people.update',
  method: 'patch',
  summary: 'Rename, deactivate or activate a person, make them an owner or unmake them',
  description:
    'Only an owner changes an owner, or makes one. A key must be for all projects of the workspace. The last active owner stays one.',
  access: OWN,
  conditional: true,
  body: PersonChange,
  responses: { 200: Person },
  errors: ['LAST_OWNER'],
});

export const deletePerson = defineRoute({
  ...ONE,
  operationId: 'deletePerson',
  sdk: 'people.delete',
  method: 'delete',
  summary: 'Remove a person, their sessions and the keys that they made; safe to repeat',
  description:
    'Only an owner removes an owner. A key must be for all projects of the workspace. The last active owner stays.',
  access: OWN,
  responses: { 204: null },
  errors: ['LAST_OWNER'],
});

export const createResetLink = defineRoute({
  ...ONE,
  operationId: 'createResetLink',
  sdk: 'people.createResetLink',
  method: 'post',
  path: `${ONE.path}/reset-links`,
  summary: 'Make a link by which a person sets a new password; an earlier one stops working',
  description: 'For those who have all that the person has, since who holds the link can sign in as that person.',
  access: MANAGE,
  responses: { 201: ResetLink },
  errors: ['CONFLICT'],
});
