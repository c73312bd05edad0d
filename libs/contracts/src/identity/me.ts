import { z } from 'zod';
import { Permission, Scope } from '../access.ts';
import { ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

export const Me = z
  .object({
    kind: z.enum(['key', 'user']),
    id: z.string(),
    scopes: z.array(Scope).optional(),
    permissions: z.array(Permission).optional(),
    projectIds: z.union([z.literal('all'), z.array(ProjectId)]),
  })
  .meta({ id: 'Me' });

export const getMe = defineRoute({
  operationId: 'getMe',
  service: 'gateway',
  method: 'get',
  path: '/v1/me',
  tag: 'Projects',
  summary: 'Who the credential of this request is, and what it may do',
  access: { kind: 'caller', scopes: Scope.options, permissions: Permission.options },
  responses: { 200: Me },
});
