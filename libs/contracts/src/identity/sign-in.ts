import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, Name } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Me } from './me.ts';
import { ProviderId } from './oidc.ts';
import { EmailAddress, Person, UserId } from './people.ts';

/** Largest body of a route that anybody may call. */
export const MAX_OPEN_BODY_BYTES = 16 * 1024;
/** Longest password, in UTF-16 units: no reason to take more, and each try hashes all of it. */
export const MAX_PASSWORD_LENGTH = 256;

/** Password as typed; which ones are refused is decided when one is chosen, never when one is tried. */
export const Password = z.string().min(1).max(MAX_PASSWORD_LENGTH);

/** Secret of a link that works once: set-up, sign-in, invitation, reset. */
export const LinkToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of a link');

export const SessionId = z.string().regex(idPattern('ses'));

export const SIGN_IN_METHODS = ['password', 'link', 'oidc', 'device', 'invitation', 'reset'] as const;
export const SignInMethod = z.enum(SIGN_IN_METHODS);
export type SignInMethod = z.infer<typeof SignInMethod>;

const PUBLIC = { kind: 'public' } as const;
/** For signed-in people only, whatever their roles: no scope of a key opens it. */
const PERSON = { kind: 'caller', scopes: [], permissions: [], anyPerson: true } as const;

/** Answers that sign somebody in: the session is in the cookie, never in the body. */
export const SignedIn = z.object({ person: Person });
const COOKIE = { 'Set-Cookie': 'The session' };

export const signIn = defineRoute({
  operationId: 'signIn',
  sdk: 'auth.signIn',
  service: 'gateway',
  method: 'post',
  path: '/v1/auth/sign-in',
  tag: 'Sign-in',
  summary: 'Sign in with a password, or with a link that works once',
  description:
    'The session is an HttpOnly cookie. A wrong password and an unknown address have the same answer. After five failures in 15 minutes each further try has to wait, at most a minute.',
  access: PUBLIC,
  sameOrigin: true,
  maxBodyBytes: MAX_OPEN_BODY_BYTES,
  body: z.union([z.strictObject({ email: EmailAddress, password: Password }), z.strictObject({ token: LinkToken })]),
  responses: { 200: SignedIn },
  responseHeaders: COOKIE,
  errors: ['UNAUTHENTICATED', 'PASSWORD_SIGN_IN_OFF', 'RATE_LIMITED'],
});

export const signOut = defineRoute({
  operationId: 'signOut',
  sdk: 'auth.signOut',
  service: 'gateway',
  method: 'post',
  path: '/v1/auth/sign-out',
  tag: 'Sign-in',
  summary: 'End the session of the cookie, and remove the cookie; safe to repeat',
  description: 'Answers 204 also where there is no session.',
  access: PUBLIC,
  sameOrigin: true,
  responses: { 204: null },
  errors: ['RATE_LIMITED'],
});

export const getSignInMethods = defineRoute({
  operationId: 'getSignInMethods',
  sdk: 'auth.methods',
  service: 'gateway',
  method: 'get',
  path: '/v1/auth/methods',
  tag: 'Sign-in',
  summary: 'How people can sign in here, and whether the first owner has yet to be made',
  description:
    'For a page that offers signing in. Without a person yet, `setup` says that the link in the log of the gateway makes the first owner.',
  access: PUBLIC,
  responses: {
    200: z.object({
      password: z
        .boolean()
        .meta({ description: 'Whether passwords are taken; if not, providers and one-time links are' }),
      minPasswordLength: z.int(),
      providers: z
        .array(z.object({ id: ProviderId, name: z.string() }))
        .meta({ description: 'Sign-in providers, each begun at `/v1/auth/oidc/<id>/start`' }),
      setup: z
        .boolean()
        .meta({ description: 'Whether nobody has an account yet: the log has a link to make the first' }),
    }),
  },
  errors: ['RATE_LIMITED'],
});

export const setUp = defineRoute({
  operationId: 'setUp',
  sdk: 'auth.setUp',
  service: 'gateway',
  method: 'post',
  path: '/v1/auth/setup',
  tag: 'Sign-in',
  summary: 'Make the first owner, with the token of the set-up link, and sign in',
  description:
    'A token that is wrong, used or expired, and one that comes when somebody has an account, is the same 404.',
  access: PUBLIC,
  sameOrigin: true,
  maxBodyBytes: MAX_OPEN_BODY_BYTES,
  body: z.strictObject({ token: LinkToken, email: EmailAddress, name: Name, password: Password }),
  responses: { 200: SignedIn },
  responseHeaders: COOKIE,
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
});

export const createOneTimeLink = defineRoute({
  operationId: 'createOneTimeLink',
  sdk: 'auth.oneTimeLinks.create',
  service: 'gateway',
  method: 'post',
  path: '/v1/auth/one-time-links',
  tag: 'Sign-in',
  summary: 'Make a link that signs a person in once, within ten minutes',
  description:
    'A signed-in owner makes one for themselves; a key with all scopes, for all projects, makes one for anybody who may sign in.',
  access: { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] },
  body: z.strictObject({ email: EmailAddress.optional().meta({ description: 'Whom the link signs in' }) }).default({}),
  responses: { 200: z.object({ link: z.string(), userId: UserId, expiresAt: EpochMs }) },
  errors: ['NOT_FOUND'],
});

export const Session = z
  .object({
    id: SessionId,
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
    method: SignInMethod,
    createdAt: EpochMs,
    lastSeenAt: EpochMs.meta({ description: 'Written at most once a minute' }),
    endsAt: EpochMs.meta({ description: 'When it ends if it is not used any more' }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const listMySessions = defineRoute({
  operationId: 'listMySessions',
  sdk: 'me.sessions.list',
  service: 'gateway',
  method: 'get',
  path: '/v1/me/sessions',
  tag: 'Sign-in',
  summary: 'List where you are signed in, newest first; at most 50, as an older one ends with the 51st',
  description:
    'Each entry tells how it began, when it was last seen and from where; `current` marks the one that asks.',
  access: PERSON,
  responses: { 200: z.object({ sessions: z.array(Session) }) },
});

export const endMyOtherSessions = defineRoute({
  operationId: 'endMyOtherSessions',
  sdk: 'me.sessions.endOthers',
  service: 'gateway',
  method: 'delete',
  path: '/v1/me/sessions',
  tag: 'Sign-in',
  summary: 'Sign out everywhere but here',
  description: 'The session of this request goes on; all others are refused from now on.',
  access: PERSON,
  responses: { 204: null },
});

export const endMySession = defineRoute({
  operationId: 'endMySession',
  sdk: 'me.sessions.end',
  service: 'gateway',
  method: 'delete',
  path: '/v1/me/sessions/:sessionId',
  tag: 'Sign-in',
  summary: 'End one of your own sessions; safe to repeat',
  description: 'Its cookie is refused from now on, in every browser that holds it.',
  access: PERSON,
  params: z.strictObject({ sessionId: SessionId }),
  responses: { 204: null },
});

export const updateMe = defineRoute({
  operationId: 'updateMe',
  sdk: 'me.update',
  service: 'gateway',
  method: 'patch',
  path: '/v1/me',
  tag: 'Sign-in',
  summary: 'Change your own name',
  description: 'The name is what other people see. The address of a person does not change.',
  access: PERSON,
  body: z.strictObject({ name: Name }),
  responses: { 200: Me },
});

export const changeMyPassword = defineRoute({
  operationId: 'changeMyPassword',
  sdk: 'me.changePassword',
  service: 'gateway',
  method: 'post',
  path: '/v1/me/password',
  tag: 'Sign-in',
  summary: 'Change your own password: all other sessions end, and this one gets another cookie',
  description: 'Asks for the current password where there is one.',
  access: PERSON,
  maxBodyBytes: MAX_OPEN_BODY_BYTES,
  body: z.strictObject({
    currentPassword: Password.optional().meta({ description: 'Needed by who has a password' }),
    newPassword: Password,
  }),
  responses: { 204: null },
  responseHeaders: COOKIE,
  errors: ['CONFLICT'],
});
