import { z } from 'zod';
import { Permission, Scope } from '../access.ts';
import { ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Role } from './people.ts';

/** Parts of a deployment that an operator can leave out. */
export const Features = z
  .object({ rules: z.boolean(), workItems: z.boolean(), modelRuntime: z.boolean(), mail: z.boolean() })
  .meta({ id: 'Features', description: 'What this deployment has' });
export type Features = z.infer<typeof Features>;

export const Me = z
  .object({
    kind: z.enum(['key', 'user']),
    id: z.string(),
    scopes: z.array(Scope).optional(),
    permissions: z
      .array(Permission)
      .optional()
      .meta({ description: 'Of a person: what they may do in one project or another' }),
    projectIds: z.union([z.literal('all'), z.array(ProjectId)]),
    name: z.string().optional(),
    email: z.string().optional(),
    owner: z.boolean().optional().meta({ description: 'Of a person: whether all projects are open to them' }),
    memberships: z
      .array(z.object({ projectId: ProjectId, role: Role, permissions: z.array(Permission) }))
      .optional()
      .meta({ description: 'Of a person who is no owner: what they may do, by project' }),
    features: Features,
    version: z.string(),
  })
  .meta({ id: 'Me' });

export const getMe = defineRoute({
  operationId: 'getMe',
  sdk: 'me.get',
  service: 'gateway',
  method: 'get',
  path: '/v1/me',
  tag: 'Projects',
  summary: 'Who the credential of this request is, and what it may do',
  description:
    'The first request of a client: it tells whether a key or a person asks, which projects are open to it, its scopes or permissions, and what this deployment can do.',
  access: { kind: 'caller', scopes: Scope.options, permissions: Permission.options, anyPerson: true },
  responses: { 200: Me },
});
