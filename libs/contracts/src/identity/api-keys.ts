import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { Scope } from '../access.ts';
import { BooleanQuery, EpochMs, pageQuery, Name, ProjectId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

/** Maximum time that the old key stays valid after a rotation. */
export const MAX_ROTATION_GRACE_MS = 30 * 24 * 60 * 60 * 1000;
const DEFAULT_ROTATION_GRACE_MS = 60 * 60 * 1000;

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.string().meta({ description: 'The first characters of the secret, to recognise it by' }),
    scopes: z.array(Scope),
    projectIds: z.union([z.literal('all'), z.array(ProjectId)]),
    expiresAt: EpochMs.nullable(),
    lastUsedAt: EpochMs.nullable().meta({ description: 'Written at most once in 30 s' }),
    rotatedFrom: z.string().nullable(),
    createdBy: z.string().meta({ description: 'Its maker: the id of a key or of a person, or `bootstrap`' }),
    createdByName: z.string().nullable().meta({
      description: 'Name of the person who made it, or who approved the device that has it; null without such a person',
    }),
    createdAt: EpochMs,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = z.strictObject({
  name: Name,
  scopes: z
    .array(Scope)
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'must not hold a scope twice'),
  expiresAt: EpochMs.nullish().meta({
    description: 'No later than that of the key that makes it, and the same as that where absent or null',
  }),
  projectIds: z
    .union([z.literal('all'), z.array(ProjectId).min(1).max(100)])
    .optional()
    .meta({ description: 'The projects that the key opens; only that of the path where absent' }),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKeySecret = z
  .object({ apiKey: ApiKey, secret: z.string().meta({ description: 'Shown this once; only a hash is kept' }) })
  .meta({ id: 'ApiKeySecret' });

export const RevokedApiKeys = z
  .object({ revoked: z.array(z.string()).meta({ description: 'Makers before what they made' }) })
  .meta({ id: 'RevokedApiKeys' });

const MANAGE = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['project:keys:manage'] } as const;
const ApiKeyParams = ProjectParams.extend({ keyId: z.string().regex(idPattern('key')) });

export const createApiKey = defineRoute({
  operationId: 'createApiKey',
  sdk: 'apiKeys.create',
  service: 'gateway',
  method: 'post',
  path: '/v1/projects/:projectId/api-keys',
  tag: 'API keys',
  summary: 'Make an API key; it never gets more than its maker has, nor longer',
  description:
    'The secret is in the answer, this once. Give it the least scopes that do: `telemetry:write` to send conversations, `diagnostics:read` to read Findings.',
  access: MANAGE,
  params: ProjectParams,
  body: NewApiKey,
  responses: { 201: ApiKeySecret },
});

export const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  sdk: 'apiKeys.list',
  service: 'gateway',
  method: 'get',
  path: '/v1/projects/:projectId/api-keys',
  tag: 'API keys',
  summary: 'List the keys that open this project, newest first; revoked ones are gone',
  description:
    'Secrets are never shown again; `start` is what they begin with, to recognise them by. A key may be open to other projects, too.',
  access: MANAGE,
  params: ProjectParams,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ apiKeys: z.array(ApiKey), nextCursor: z.string().nullable() }) },
});

export const rotateApiKey = defineRoute({
  operationId: 'rotateApiKey',
  sdk: 'apiKeys.rotate',
  service: 'gateway',
  method: 'post',
  path: '/v1/projects/:projectId/api-keys/:keyId/rotate',
  tag: 'API keys',
  summary: 'Make a successor with the same rights; the old key lives on for the grace time',
  description:
    'The successor ends when the old key would have, or with the key that rotates it where that is earlier. It descends from the key that rotates it, and from all that the old key descends from.',
  access: MANAGE,
  params: ApiKeyParams,
  body: z
    .strictObject({ graceMs: z.int().min(0).max(MAX_ROTATION_GRACE_MS).default(DEFAULT_ROTATION_GRACE_MS) })
    .default({ graceMs: DEFAULT_ROTATION_GRACE_MS }),
  responses: { 201: ApiKeySecret },
  errors: ['CONFLICT'],
});

export const revokeApiKey = defineRoute({
  operationId: 'revokeApiKey',
  sdk: 'apiKeys.revoke',
  service: 'gateway',
  method: 'delete',
  path: '/v1/projects/:projectId/api-keys/:keyId',
  tag: 'API keys',
  summary: 'Revoke a key at once, and with `withDescendants` all that descend from it; safe to repeat',
  description:
    'Without `withDescendants` what the key has made goes on until its own expiry. Descendants are the keys that it made or rotated, their successors, and what all those made. With `withDescendants=true` the key may be revoked already, and the answer names the keys that this request revoked; a request that was cut short goes on when it is repeated.',
  access: MANAGE,
  params: ApiKeyParams,
  query: z.strictObject({ withDescendants: BooleanQuery.optional() }),
  responses: { 200: RevokedApiKeys, 204: null },
});

export const revokeOwnKey = defineRoute({
  operationId: 'revokeOwnKey',
  sdk: 'me.revokeKey',
  service: 'gateway',
  method: 'delete',
  path: '/v1/me/key',
  tag: 'API keys',
  summary: 'Revoke the key of this request',
  description: 'Every key may end itself, whatever its scopes. Keys that it has made live on.',
  access: { kind: 'caller', scopes: Scope.options, permissions: [] },
  responses: { 204: null },
});
