import { z } from 'zod';
import { Name, ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ApiKey } from './api-keys.ts';
import { LinkToken, MAX_OPEN_BODY_BYTES } from './sign-in.ts';

/** Letters of a user code: none is a vowel, so that no word comes about, and none looks like another. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
/** Time for which a device waits for its approval, and between two of its questions. */
export const DEVICE_MS = 10 * 60 * 1_000;
export const DEVICE_INTERVAL_SECONDS = 5;

/** User code as a person types it: case, spaces and hyphens do not matter. */
export const UserCode = z
  .string()
  .max(40)
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase());

export const DEVICE_DECISIONS = ['approve', 'deny'] as const;
export const DeviceDecision = z.enum(DEVICE_DECISIONS);
export type DeviceDecision = z.infer<typeof DeviceDecision>;

const DEVICE = { service: 'gateway', method: 'post', tag: 'Sign-in', maxBodyBytes: MAX_OPEN_BODY_BYTES } as const;
const OPEN = { ...DEVICE, access: { kind: 'public' } } as const;

export const startDevice = defineRoute({
  ...OPEN,
  operationId: 'startDevice',
  sdk: 'auth.devices.start',
  path: '/v1/auth/device',
  summary: 'Ask for a key for a device: a person approves it in a browser (RFC 8628)',
  description:
    'The device shows the user code and the address, and asks `/v1/auth/device/token` every five seconds. The members are those of RFC 8628 in the names of this API: `deviceCode` is `device_code`, `expiresInSeconds` is `expires_in`, `intervalSeconds` is `interval`.',
  body: z.strictObject({ name: Name.meta({ description: 'Name of the machine, which the key will have' }) }),
  responses: {
    200: z.object({
      deviceCode: z.string(),
      userCode: z.string().meta({ description: 'Eight letters to compare, as `BCDF-GHJK`' }),
      verificationUri: z.string(),
      verificationUriComplete: z.string().meta({ description: 'The same with the user code' }),
      expiresInSeconds: z.int(),
      intervalSeconds: z.int(),
    }),
  },
  errors: ['RATE_LIMITED'],
});

export const getDeviceToken = defineRoute({
  ...OPEN,
  operationId: 'getDeviceToken',
  sdk: 'auth.devices.token',
  path: '/v1/auth/device/token',
  summary: 'Take the key of an approved device, once',
  description:
    'The errors of RFC 8628 have their codes in capitals, in the error body of this API: `AUTHORIZATION_PENDING` (ask again after the interval), `SLOW_DOWN` (the interval is five seconds longer from now on), `ACCESS_DENIED`, `EXPIRED_TOKEN`, and `INVALID_GRANT` for a code that is unknown or was used.',
  body: z.strictObject({ deviceCode: LinkToken }),
  responses: { 200: z.object({ apiKey: ApiKey, secret: z.string() }) },
  errors: ['AUTHORIZATION_PENDING', 'SLOW_DOWN', 'ACCESS_DENIED', 'EXPIRED_TOKEN', 'INVALID_GRANT', 'RATE_LIMITED'],
});

export const decideDevice = defineRoute({
  ...DEVICE,
  operationId: 'decideDevice',
  sdk: 'auth.devices.decide',
  path: '/v1/auth/device/approve',
  summary: 'Approve or deny a device, given by its user code',
  description:
    'An approved device gets a key of yours, for 90 days, with the scopes that you have in all of its projects. A user code that is unknown, used or expired is 404; wrong ones make further tries wait.',
  access: { kind: 'caller', scopes: [], permissions: [], anyPerson: true },
  body: z.strictObject({
    userCode: UserCode,
    decision: DeviceDecision.default('approve'),
    projectId: ProjectId.optional().meta({ description: 'The one project of the key; without it, all of yours' }),
  }),
  responses: { 200: z.object({ name: z.string(), decision: DeviceDecision }) },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
});
