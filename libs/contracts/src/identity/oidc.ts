import { z } from 'zod';
import { defineRoute } from '../route.ts';

/** Id of a sign-in provider, from the configuration. */
export const ProviderId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and hyphens, 32 at most');

/** Longest path to return to after a sign-in. */
export const MAX_RETURN_PATH_LENGTH = 1_000;
const MAX_PARAMETER_LENGTH = 4_096;

const OIDC = {
  service: 'gateway',
  method: 'get',
  tag: 'Sign-in',
  access: { kind: 'public' },
  params: z.strictObject({ provider: ProviderId }),
  responses: { 303: null },
} as const;
const FOR_BROWSERS = 'A browser that accepts HTML is answered with a page where something goes wrong.';

export const startOidc = defineRoute({
  ...OIDC,
  operationId: 'startOidc',
  path: '/v1/auth/oidc/:provider/start',
  summary: 'Begin to sign in at a provider: leads there, with a cookie that binds its answer to this browser',
  description: FOR_BROWSERS,
  query: z.strictObject({
    returnTo: z.string().max(MAX_RETURN_PATH_LENGTH).optional().meta({
      description: 'Path of this deployment to go to afterwards; anything else than such a path leads to `/`',
    }),
  }),
  responseHeaders: { Location: 'The page of the provider', 'Set-Cookie': 'What the answer is held against' },
  errors: ['OIDC_UNAVAILABLE', 'RATE_LIMITED'],
});

export const finishOidc = defineRoute({
  ...OIDC,
  operationId: 'finishOidc',
  path: '/v1/auth/oidc/:provider/callback',
  summary: 'Take the answer of a provider, and sign in; or go on to the page that links an existing account',
  description: `The provider sends the browser here. An answer that this browser did not ask for, or asked for more than ten minutes ago, is 400; who may not come in is 403; a provider that cannot be reached, or answers nonsense, is 503. ${FOR_BROWSERS}`,
  query: z.looseObject({
    code: z.string().max(MAX_PARAMETER_LENGTH).optional(),
    state: z.string().max(MAX_PARAMETER_LENGTH).optional(),
    iss: z.string().max(MAX_PARAMETER_LENGTH).optional(),
    error: z.string().max(MAX_PARAMETER_LENGTH).optional(),
  }),
  takesAnyQuery: true,
  responseHeaders: { Location: 'The page to go on to', 'Set-Cookie': 'The session' },
  errors: ['OIDC_STATE_INVALID', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
});
