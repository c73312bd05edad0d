import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { newId, type AppError } from '@clew/kernel';
import { SERVICE_NAMES, type Principal, type ServiceName } from '@clew/contracts';
import { UsageError } from '@clew/runtime';
import type { Authenticate, Caller } from '../caller.ts';
import { readPrivateKey, readPublicKeys } from './keys.ts';
import { createIdentitySigner } from './signer.ts';
import { IDENTITY_HEADER, IDENTITY_TTL_SECONDS } from './token.ts';
import { createIdentityVerifier } from './verifier.ts';

const PROJECT = newId('prj');
const KEY: Principal = { kind: 'key', id: 'key_1', scopes: ['telemetry:write'] };

const pairs = Object.fromEntries(
  (['gateway', 'jobs-worker', 'diagnostics-svc'] as const).map((name) => [
    name,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ]),
) as Record<'gateway' | 'jobs-worker' | 'diagnostics-svc', { publicKey: KeyObject; privateKey: KeyObject }>;
const publicKeys = new Map(Object.entries(pairs).map(([name, { publicKey }]) => [name, publicKey]));
const HERE = 'datasets-svc';
const verify = createIdentityVerifier(HERE, publicKeys);

function requestWith(token: string | string[] | undefined): IncomingMessage {
  return { headers: { [IDENTITY_HEADER]: token } } as unknown as IncomingMessage;
}

function callerOf(token: string | string[] | undefined, at: Authenticate = verify): Caller | undefined | 401 {
  try {
    return at(requestWith(token)) as Caller | undefined;
  } catch (error) {
    expect((error as AppError).code).toBe('UNAUTHENTICATED');
    return 401;
  }
}

interface Forgery {
  signedBy?: KeyObject;
  kid?: string;
  issuer?: string;
  audience?: string;
  principal?: unknown;
  projectId?: unknown;
  algorithm?: jwt.Algorithm;
  expiresIn?: number;
  issuedAgoSeconds?: number;
}

/** Creates the gateway's token for a key, with the given deviations. */
function forge(forgery: Forgery = {}): string {
  const issuedAt = Math.floor(Date.now() / 1000) - (forgery.issuedAgoSeconds ?? 0);
  return jwt.sign(
    { principal: forgery.principal ?? KEY, projectId: forgery.projectId ?? PROJECT, iat: issuedAt },
    forgery.signedBy ?? pairs.gateway.privateKey,
    {
      algorithm: forgery.algorithm ?? 'ES256',
      keyid: forgery.kid ?? 'gateway',
      issuer: forgery.issuer ?? 'gateway',
      audience: forgery.audience ?? HERE,
      expiresIn: forgery.expiresIn ?? IDENTITY_TTL_SECONDS,
      // A token that the library refuses to create may still be sent by an attacker.
      allowInvalidAsymmetricKeyTypes: true,
    },
  );
}

function unsigned(header: object, payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.`;
}

describe('identity', () => {
  it('arrives as it was signed, for keys, people and services', () => {
    const asKey = createIdentitySigner('gateway', pairs.gateway.privateKey);
    const asWorker = createIdentitySigner('jobs-worker', pairs['jobs-worker'].privateKey);
    const person: Principal = { kind: 'user', id: 'usr_1', permissions: ['project:read'] };
    const worker: Principal = { kind: 'service', id: 'jobs-worker' };
    expect(callerOf(asKey(HERE, 'a', { principal: KEY, projectId: PROJECT }))).toEqual({
      principal: KEY,
      projectId: PROJECT,
    });
    expect(callerOf(asKey(HERE, 'b', { principal: person }))).toEqual({ principal: person });
    expect(callerOf(asWorker(HERE, 'c', { principal: worker }))).toEqual({ principal: worker });
  });

  it('is signed once for each service, caller and project, and lives 60 seconds at most', () => {
    const sign = createIdentitySigner('gateway', pairs.gateway.privateKey);
    const caller = { principal: KEY, projectId: PROJECT };
    const first = sign(HERE, 'key_1:prj_a', caller);
    expect(sign(HERE, 'key_1:prj_a', caller)).toBe(first);
    expect(sign(HERE, 'key_1:prj_b', { ...caller, projectId: newId('prj') })).not.toBe(first);
    expect(sign('knowledge-svc', 'key_1:prj_a', caller)).not.toBe(first);
    const { iat = 0, exp = 0 } = jwt.decode(first) as jwt.JwtPayload;
    expect(exp - iat).toBeLessThanOrEqual(60);
  });

  it('is taken by the service that it was made for, and refused with 401 by all others', () => {
    const signers = (['gateway', 'jobs-worker', 'diagnostics-svc'] as const).map((name) => ({
      principal: name === 'gateway' ? KEY : ({ kind: 'service', id: name } as const),
      sign: createIdentitySigner(name, pairs[name].privateKey),
    }));
    const verifiers = new Map(SERVICE_NAMES.map((name) => [name, createIdentityVerifier(name, publicKeys)]));
    const service = fc.constantFrom(...SERVICE_NAMES);
    fc.assert(
      fc.property(fc.constantFrom(...signers), service, service, ({ principal, sign }, sentTo, shownTo) => {
        const token = sign(sentTo, principal.id, { principal });
        expect(callerOf(token, verifiers.get(shownTo))).toEqual(sentTo === shownTo ? { principal } : 401);
      }),
      { numRuns: 300 },
    );
  });

  it('is absent where no token came', () => {
    expect(callerOf(undefined)).toBeUndefined();
  });

  it.each<[string, Forgery]>([
    ['signed by another process under the name of the gateway', { signedBy: pairs['jobs-worker'].privateKey }],
    [
      "with a service's key id and the gateway as issuer",
      { signedBy: pairs['jobs-worker'].privateKey, kid: 'jobs-worker' },
    ],
    [
      'in which a service speaks for a key',
      { signedBy: pairs['jobs-worker'].privateKey, kid: 'jobs-worker', issuer: 'jobs-worker' },
    ],
    [
      'in which a service speaks for a person',
      {
        signedBy: pairs['diagnostics-svc'].privateKey,
        kid: 'diagnostics-svc',
        issuer: 'diagnostics-svc',
        principal: { kind: 'user', id: 'usr_1', permissions: ['workspace:admin'] },
      },
    ],
    [
      'in which a service speaks for another service',
      {
        signedBy: pairs['jobs-worker'].privateKey,
        kid: 'jobs-worker',
        issuer: 'jobs-worker',
        principal: { kind: 'service', id: 'diagnostics-svc' },
      },
    ],
    ['in which the gateway speaks for a service', { principal: { kind: 'service', id: 'jobs-worker' } }],
    ['of a key id that nobody has', { kid: 'workbench' }],
    ['for an audience that no service is', { audience: 'clew-internal' }],
    ['for another service', { audience: 'knowledge-svc' }],
    ['that has expired', { issuedAgoSeconds: 61 }],
    ['that would live longer than allowed', { issuedAgoSeconds: 61, expiresIn: 3600 }],
    ['that was made in the future', { issuedAgoSeconds: -3_600 }],
    ['with a scope that does not exist', { principal: { kind: 'key', id: 'key_1', scopes: ['everything'] } }],
    ['with a project that is none', { projectId: '*' }],
    ['without a principal', { principal: {} }],
    ['signed with an algorithm of the same key that is not the pinned one', { algorithm: 'ES384' }],
  ])('refuses a token %s', (_name, forgery) => {
    expect(callerOf(forge(forgery))).toBe(401);
  });

  it('refuses "alg: none", and the public key used as an HMAC secret', () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      principal: KEY,
      projectId: PROJECT,
      iss: 'gateway',
      aud: HERE,
      iat: now,
      exp: now + 60,
    };
    expect(callerOf(unsigned({ alg: 'none', typ: 'JWT', kid: 'gateway' }, claims))).toBe(401);
    const publicPem = pairs.gateway.publicKey.export({ type: 'spki', format: 'pem' });
    for (const secret of [publicPem, pairs.gateway.publicKey.export({ type: 'spki', format: 'der' })]) {
      expect(callerOf(jwt.sign(claims, secret, { algorithm: 'HS256', keyid: 'gateway' }))).toBe(401);
    }
  });

  it('refuses a token with any one character changed', () => {
    const token = forge();
    expect(callerOf(token)).toEqual({ principal: KEY, projectId: PROJECT });
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09_-.='), (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        // The last character of a signature carries two bits that decoders ignore.
        fc.pre(changed !== token && at !== token.length - 1);
        expect(callerOf(changed)).toBe(401);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses whatever else is sent, and never fails otherwise', () => {
    const word = fc.string({ unit: fc.constantFrom(...'eyJhbGciOiJ.{}":, ') });
    fc.assert(fc.property(fc.oneof(fc.string(), word), (text) => callerOf(text) === 401));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (header, payload) => {
        const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
        return callerOf(`${part(header)}.${part(payload)}.AAAA`) === 401;
      }),
    );
    expect(callerOf([forge(), forge()])).toBe(401);
  });

  it.each<[string, Forgery, number]>([
    ['has expired', { expiresIn: 1 }, 2_000],
    ['has become too old, though it says that it lives longer,', { expiresIn: 3_600 }, 61_000],
  ])('refuses a token that %s since it was first seen', (_name, forgery, laterMs) => {
    const token = forge(forgery);
    expect(callerOf(token)).toEqual({ principal: KEY, projectId: PROJECT });
    const realNow = Date.now;
    Date.now = () => realNow() + laterMs;
    try {
      expect(callerOf(token)).toBe(401);
    } finally {
      Date.now = realNow;
    }
  });
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not throw');
}

describe('key files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-identity-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function writeKeys(name: string, keys: object[]): string {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ keys }));
    return file;
  }

  it('give the keys of every process by its name', () => {
    const names: ServiceName[] = ['gateway', 'jobs-worker'];
    const jwks = names.map((kid) => ({
      ...pairs[kid as 'gateway'].publicKey.export({ format: 'jwk' }),
      kid,
      use: 'sig',
    }));
    const read = readPublicKeys(writeKeys('public.json', jwks));
    expect([...read.keys()]).toEqual(names);
    const pem = join(folder, 'gateway.pem');
    writeFileSync(pem, pairs.gateway.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(createPublicKey(readPrivateKey(pem)).equals(read.get('gateway') as KeyObject)).toBe(true);
  });

  it.each([
    ['a name that no process has', { kid: 'intruder' }],
    ['another curve', { kid: 'gateway', crv: 'P-384' }],
    ['another type', { kid: 'gateway', kty: 'oct' }],
  ])('with %s are refused', (_name, change) => {
    const key = { ...pairs.gateway.publicKey.export({ format: 'jwk' }), ...change };
    expect(() => readPublicKeys(writeKeys('bad.json', [key]))).toThrow(UsageError);
  });

  const written = (name: string, content: string): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const pemOf = (curve: string): string =>
    generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each([
    ['a missing file', () => join(folder, 'nowhere'), 'cannot be read (ENOENT)'],
    ['a folder', () => folder, 'cannot be read (EISDIR)'],
    ['a file of something else', () => written('else', '{"keys": "secret"}'), 'is no '],
    ['an empty file', () => written('empty', ''), 'is no '],
    ['a key of another curve', () => written('curve', pemOf('P-384')), 'is no '],
  ])('that are none are told in one line that names the variable and the file: %s', (_name, fileOf, reason) => {
    const file = fileOf();
    for (const [variable, read] of [
      ['IDENTITY_PUBLIC_KEYS_FILE', readPublicKeys],
      ['IDENTITY_PRIVATE_KEY_FILE', readPrivateKey],
    ] as const) {
      const told = errorOf(() => read(file));
      expect(told).toBeInstanceOf(UsageError);
      expect(told.message.startsWith(`${variable}: ${file} ${reason}`)).toBe(true);
      expect(told.message).not.toMatch(/secret|\n/);
    }
  });
});
