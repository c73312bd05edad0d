import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AppError } from '@clew/kernel';
import { SCOPES, type Scope } from '@clew/contracts';
import { testKey } from '../test-support/keys.ts';
import {
  apiKeyView,
  expiryAfterRotation,
  isLive,
  newApiKey,
  opensProject,
  successorOf,
  type KeyMaker,
  type KeyRequest,
} from './api-key.ts';

const NOW = 1_000_000;
const SECRET = { hash: 'hash', start: 'clew_live_abcdef' };

const scopes: fc.Arbitrary<Scope[]> = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 });
const projects: fc.Arbitrary<'all' | string[]> = fc.oneof(
  fc.constant('all' as const),
  fc.uniqueArray(fc.constantFrom('prj_a', 'prj_b', 'prj_c'), { minLength: 1 }),
);
const expiries = fc.option(fc.integer({ min: NOW + 1, max: NOW + 9 }));
const makers: fc.Arbitrary<KeyMaker> = fc.record({
  id: fc.constant('key_maker'),
  workspaceId: fc.constant('ws_1'),
  scopes,
  projectIds: projects,
  expiresAt: expiries,
  userId: fc.constantFrom(null, 'usr_maker'),
});
const requests: fc.Arbitrary<KeyRequest> = fc.record({
  name: fc.constant('n'),
  scopes,
  projectIds: projects,
  expiresAt: expiries,
});

const NEVER = Number.MAX_SAFE_INTEGER;

describe('a new key', () => {
  it('never gets more than its maker has, nor longer', () => {
    fc.assert(
      fc.property(makers, requests, (maker, request) => {
        const within =
          request.scopes.every((scope) => maker.scopes.includes(scope)) &&
          (maker.projectIds === 'all' ||
            (request.projectIds !== 'all' && request.projectIds.every((id) => maker.projectIds.includes(id))));
        const isLonger = (request.expiresAt ?? 0) > (maker.expiresAt ?? NEVER);
        let made;
        try {
          made = newApiKey(maker, request, SECRET, NOW);
        } catch (error) {
          expect((error as AppError).code).toBe(within ? 'VALIDATION_FAILED' : 'FORBIDDEN');
        }
        expect(made !== undefined).toBe(within && !isLonger);
        if (made !== undefined) {
          expect(made).toMatchObject({
            ...request,
            expiresAt: request.expiresAt ?? maker.expiresAt,
            workspaceId: maker.workspaceId,
            createdBy: maker.id,
            userId: maker.userId,
            revokedAt: null,
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([NOW, NOW - 1, 0])('cannot have expired already (%i)', (expiresAt) => {
    const rights = { scopes: SCOPES, projectIds: 'all', expiresAt: null } as const;
    const maker: KeyMaker = { id: 'k', workspaceId: 'w', userId: null, ...rights };
    const request: KeyRequest = { name: 'n', scopes: ['workspace:read'], projectIds: 'all', expiresAt };
    expect(() => newApiKey(maker, request, SECRET, NOW)).toThrow(
      expect.objectContaining({ details: [{ path: 'body.expiresAt', message: 'must be in the future' }] }),
    );
  });
});

describe('a key', () => {
  it.each([
    [{ expiresAt: null, revokedAt: null }, true],
    [{ expiresAt: NOW + 1, revokedAt: null }, true],
    [{ expiresAt: NOW, revokedAt: null }, false],
    [{ expiresAt: null, revokedAt: NOW - 1 }, false],
    [{ expiresAt: NOW + 1, revokedAt: NOW + 1 }, false],
  ])('%j is live: %s', (key, live) => {
    expect(isLive(key, NOW)).toBe(live);
  });

  it('opens the projects that it names, or all', () => {
    expect(opensProject({ projectIds: ['prj_a'] }, 'prj_a')).toBe(true);
    expect(opensProject({ projectIds: ['prj_a'] }, 'prj_b')).toBe(false);
    expect(opensProject({ projectIds: 'all' }, 'prj_b')).toBe(true);
  });

  it('shows nothing that could be used as it', () => {
    const { key, secret } = testKey();
    const shown = JSON.stringify(apiKeyView(key, new Map()));
    expect(shown).not.toContain(key.hash);
    expect(shown).not.toContain(secret.slice(key.start.length));
  });
});

describe('rotation', () => {
  it('gives the successor the same rights and expiry, and another secret and id', () => {
    const { key } = testKey({ expiresAt: NOW + 9, lastUsedAt: 5, createdAt: 1, keysMade: 3 });
    const next = successorOf(key, SECRET, { id: 'key_by', expiresAt: null, userId: 'usr_by' }, NOW);
    expect(next).toEqual({
      ...key,
      ...SECRET,
      id: next.id,
      lastUsedAt: null,
      rotatedFrom: key.id,
      createdBy: 'key_by',
      userId: 'usr_by',
      createdAt: NOW,
      keysMade: 0,
    });
    expect(next.id).not.toBe(key.id);
  });

  it('gives a successor that outlives neither the old key nor the one that rotates it', () => {
    fc.assert(
      fc.property(expiries, expiries, (ofKey, ofMaker) => {
        const maker = { id: 'key_by', expiresAt: ofMaker, userId: null };
        const next = successorOf(testKey({ expiresAt: ofKey }).key, SECRET, maker, NOW);
        expect(next.expiresAt ?? NEVER).toBe(Math.min(ofKey ?? NEVER, ofMaker ?? NEVER));
      }),
    );
  });

  it('ends the old key after the grace time, never later than it would have ended', () => {
    fc.assert(
      fc.property(fc.option(fc.integer({ min: NOW + 1, max: NOW * 3 })), fc.nat(NOW), (expiresAt, graceMs) => {
        const { key } = testKey({ expiresAt });
        const end = expiryAfterRotation(key, graceMs, NOW);
        expect(end).toBeLessThanOrEqual(NOW + graceMs);
        expect(end).toBe(expiresAt === null ? NOW + graceMs : Math.min(expiresAt, NOW + graceMs));
      }),
    );
  });
});
