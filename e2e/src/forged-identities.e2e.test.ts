import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SCOPES, type RouteSpec, type ServiceName } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { CALLED_SERVICES } from '@clew/contracts/services';
import { newId } from '@clew/kernel';
import { keyWith } from '@clew/testing/identities';
import { HARMLESS_QUERY } from './support/access-outcomes.ts';
import {
  claimsOf,
  encoded,
  HEADER,
  IDENTITY,
  identityOf,
  keyOf,
  publicKeyOf,
  signedBy,
  urlOf,
} from './support/identities.ts';
import { pathFor } from './support/path-parameters.ts';
import { runningStack } from './support/stack.ts';

const PROJECT = newId('prj');
const EVERYTHING = keyWith(...SCOPES);
const FOREIGN = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ADDRESS = 'http://127.0.0.1:9/jwks.json';

interface Forgery {
  header?: object;
  claims?: object;
  signature?: (text: string) => Buffer;
}

/** Token of the gateway for a service, with the deviations of a forgery. */
function forged(service: ServiceName, { header, claims, signature }: Forgery): string {
  const signer = signature ?? signedBy(keyOf('gateway'));
  return encoded({ ...HEADER, ...header }, { ...claimsOf(service, EVERYTHING, PROJECT), ...claims }, signer);
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const nothing = () => Buffer.alloc(0);
const foreign = signedBy(FOREIGN.privateKey);
const hmacOf = (secret: string | Buffer) => (text: string) => createHmac('sha256', secret).update(text).digest();
const pem = () => publicKeyOf('gateway').export({ type: 'spki', format: 'pem' });
const der = () => publicKeyOf('gateway').export({ type: 'spki', format: 'der' });

/** Forgeries by name; each would be let through, were it not for its deviation. */
const FORGERIES: readonly (readonly [string, () => Forgery])[] = [
  ...['none', 'None', 'NONE', ''].map(
    (alg) => [`of the algorithm "${alg}"`, () => ({ header: { alg }, signature: nothing })] as const,
  ),
  ['without a signature', () => ({ signature: nothing })],
  ['with a signature of zeros', () => ({ signature: () => Buffer.alloc(64) })],
  ['signed with the public key as a secret, as text', () => ({ header: { alg: 'HS256' }, signature: hmacOf(pem()) })],
  ['signed with the public key as a secret, as bytes', () => ({ header: { alg: 'HS256' }, signature: hmacOf(der()) })],
  ['that says ES256 and is signed with a secret', () => ({ signature: hmacOf(pem()) })],
  ['that says it is of another algorithm', () => ({ header: { alg: 'ES384' } })],
  [
    'whose signature is encoded otherwise',
    () => ({ signature: (text) => sign('sha256', Buffer.from(text), keyOf('gateway')) }),
  ],
  ['for another service', () => ({ claims: { aud: 'gateway' } })],
  ['for no service', () => ({ claims: { aud: undefined } })],
  ['for a list of services', () => ({ claims: { aud: [...CALLED_SERVICES] } })],
  ['of another issuer', () => ({ claims: { iss: 'jobs-worker' } })],
  ['of no issuer', () => ({ claims: { iss: undefined } })],
  ['that has expired', () => ({ claims: { iat: inSeconds(-120), exp: inSeconds(-60) } })],
  ['that never expires', () => ({ claims: { exp: undefined } })],
  ['that is too old, though it has not expired', () => ({ claims: { iat: inSeconds(-120), exp: inSeconds(3_600) } })],
  ['that is not valid yet', () => ({ claims: { nbf: inSeconds(3_600) } })],
  ['that was made in the future', () => ({ claims: { iat: inSeconds(3_600), exp: inSeconds(3_660) } })],
  ...['../../../../dev/null', '../identity/gateway', 'gateway.pem', '/etc/hostname', 'nobody', '__proto__', ''].map(
    (kid) => [`of the key "${kid}"`, () => ({ header: { kid }, signature: foreign })] as const,
  ),
  ['of no key', () => ({ header: { kid: undefined } })],
  ['of several keys', () => ({ header: { kid: ['gateway'] } })],
  [
    'of a key that it brings along',
    () => ({ header: { jwk: FOREIGN.publicKey.export({ format: 'jwk' }) }, signature: foreign }),
  ],
  ['of a key that it says where to fetch', () => ({ header: { jku: ADDRESS, x5u: ADDRESS }, signature: foreign })],
  ['of another deployment', () => ({ signature: foreign })],
  ['of a service that calls itself the gateway', () => ({ signature: signedBy(keyOf('jobs-worker')) })],
  [
    'of a service that speaks for a key',
    () => ({
      header: { kid: 'jobs-worker' },
      claims: { iss: 'jobs-worker' },
      signature: signedBy(keyOf('jobs-worker')),
    }),
  ],
  ['that speaks for a service', () => ({ claims: { principal: { kind: 'service', id: 'jobs-worker' } } })],
  ['of somebody of an unknown kind', () => ({ claims: { principal: { kind: 'root', id: 'x' } } })],
];

/** Route of a service that names a project and changes nothing. */
function routeOf(service: ServiceName): RouteSpec {
  const routes = publicRoutes().filter((spec) => spec.service === service && spec.access.kind === 'caller');
  const route = routes.find(({ method }) => method === 'get') ?? routes[0];
  if (route === undefined) throw new Error(`${service} has no route`);
  return route;
}

async function ask(base: string, spec: RouteSpec, headers: Record<string, string>): Promise<[number, string]> {
  const url = new URL(`${pathFor(spec, PROJECT)}${HARMLESS_QUERY}`, base);
  const response = await fetch(url, { method: spec.method.toUpperCase(), headers });
  return [response.status, await response.text()];
}

describe.each(CALLED_SERVICES)('%s refuses an identity', (service) => {
  const spec = routeOf(service);

  it('of nobody who forged it, and takes one of the gateway', async () => {
    const [status, text] = await ask(urlOf(service), spec, { [IDENTITY]: identityOf(service, EVERYTHING, PROJECT) });
    expect([status, text]).toEqual([400, expect.stringContaining('surprise')]);
  });

  it.each(FORGERIES)('%s', async (_name, forgery) => {
    const [status, text] = await ask(urlOf(service), spec, { [IDENTITY]: forged(service, forgery()) });
    expect([status, text]).toEqual([401, expect.stringMatching(/UNAUTHENTICATED/i)]);
  });

  it('that was made for another service, and of which any part was changed', async () => {
    const others = CALLED_SERVICES.filter((each) => each !== service).map((each) =>
      identityOf(each, EVERYTHING, PROJECT),
    );
    const [header = '', claims = '', signature = ''] = identityOf(service, EVERYTHING, PROJECT).split('.');
    const other = identityOf(service, EVERYTHING, newId('prj')).split('.')[1] ?? '';
    const changed = [
      [header, other, signature],
      [header, claims],
      [header, claims, signature.slice(1)],
      [claims, signature],
    ];
    for (const token of [...others, ...changed.map((parts) => parts.join('.')), 'x', '..']) {
      expect((await ask(urlOf(service), spec, { [IDENTITY]: token }))[0]).toBe(401);
    }
  });
});

describe('the gateway', () => {
  it.each(CALLED_SERVICES)('takes no identity from outside for %s, a good one neither', async (service) => {
    const headers = { [IDENTITY]: identityOf(service, EVERYTHING, PROJECT) };
    expect((await ask(runningStack().gatewayUrl, routeOf(service), headers))[0]).toBe(401);
  });
});
