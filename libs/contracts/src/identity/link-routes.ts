import { z } from 'zod';
import { EpochMs, Name, ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Invitation } from './invitations.ts';
import { Person, Role } from './people.ts';
import { MAX_OPEN_BODY_BYTES, Password, SignedIn } from './sign-in.ts';

/** Invitation as somebody with its link sees it. */
export const OpenInvitation = z
  .object({
    email: z.string(),
    workspace: z.string().meta({ description: 'Name of the workspace' }),
    role: Invitation.shape.role,
    projectRoles: z.array(z.object({ projectId: ProjectId, project: z.string(), role: Role })),
    hasAccount: z.boolean().meta({
      description: 'Whether the address has an account, which is then asked for its password, and no new one is made',
    }),
    takesPassword: z.boolean().meta({
      description:
        'Whether a password accepts it: a new one, or that of the account; otherwise a sign-in provider does, which says that the address is theirs',
    }),
    expiresAt: EpochMs,
  })
  .meta({ id: 'OpenInvitation' });
export type OpenInvitation = z.infer<typeof OpenInvitation>;

export const OpenReset = z
  .object({ email: Person.shape.email, name: Person.shape.name, expiresAt: EpochMs })
  .meta({ id: 'OpenReset' });
export type OpenReset = z.infer<typeof OpenReset>;

export const AcceptInvitation = z.strictObject({
  name: Name.optional().meta({ description: 'Required for a new account; that of an existing one stays' }),
  password: Password.meta({ description: 'New password, or that of the account that the address has' }),
});
export type AcceptInvitation = z.infer<typeof AcceptInvitation>;

const SAME_404 = 'A link that is unknown, used, withdrawn or expired has one answer, 404.';
/** Parameter that takes any text: a text that cannot be a token is an unknown link, like any other. */
const LinkParams = z.object({ token: z.string() });
const OPEN = { service: 'gateway', tag: 'Sign-in', access: { kind: 'public' }, params: LinkParams } as const;
const SIGNS_IN = {
  ...OPEN,
  method: 'post',
  sameOrigin: true,
  maxBodyBytes: MAX_OPEN_BODY_BYTES,
  responses: { 200: SignedIn },
  responseHeaders: { 'Set-Cookie': 'The session' },
} as const;

export const getOpenInvitation = defineRoute({
  ...OPEN,
  operationId: 'getOpenInvitation',
  sdk: 'auth.invitations.get',
  method: 'get',
  path: '/v1/auth/invitations/:token',
  summary: 'Read an invitation with the token of its link; reading does not use it up',
  description: SAME_404,
  responses: { 200: OpenInvitation },
  errors: ['RATE_LIMITED'],
});

export const acceptInvitation = defineRoute({
  ...SIGNS_IN,
  operationId: 'acceptInvitation',
  sdk: 'auth.invitations.accept',
  path: '/v1/auth/invitations/:token',
  summary: 'Accept an invitation, and sign in',
  description: `Makes an account, or adds the roles to the account that the address has, once its password is proved. It gives what the maker of the link may still give. ${SAME_404}`,
  body: AcceptInvitation,
  errors: ['UNAUTHENTICATED', 'PASSWORD_SIGN_IN_OFF', 'CONFLICT', 'RATE_LIMITED'],
});

export const getOpenReset = defineRoute({
  ...OPEN,
  operationId: 'getOpenReset',
  sdk: 'auth.resets.get',
  method: 'get',
  path: '/v1/auth/resets/:token',
  summary: 'Read whose password a reset link sets; reading does not use it up',
  description: SAME_404,
  responses: { 200: OpenReset },
  errors: ['RATE_LIMITED'],
});

export const useReset = defineRoute({
  ...SIGNS_IN,
  operationId: 'useReset',
  sdk: 'auth.resets.use',
  path: '/v1/auth/resets/:token',
  summary: 'Set a new password with a reset link, and sign in: all other sessions of the person end',
  description: SAME_404,
  body: z.strictObject({ password: Password }),
  errors: ['RATE_LIMITED'],
});
