import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { ServiceName } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { CacheLookups } from '@clew/runtime';
import type { Authenticate, Caller } from '../caller.ts';
import { IDENTITY_HEADER, IDENTITY_TTL_SECONDS, IdentityClaims } from './token.ts';

const MAX_CACHED_TOKENS = 10_000;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Authenticates a request by its internal identity token, if the token is meant for this service (`audience`): a token
 * for one service is useless at another. Each process has its own key, so no service can forge another's caller: only
 * the gateway may speak for keys and people, a service only for itself. Verified tokens are cached by their bytes,
 * because a verification costs 100 us.
 */
export function createIdentityVerifier(
  audience: ServiceName,
  publicKeys: ReadonlyMap<string, KeyObject>,
  lookups?: CacheLookups,
): Authenticate {
  const verified = new LRUCache<string, { caller: Caller; expiresAtMs: number }>({ max: MAX_CACHED_TOKENS });
  return (request) => {
    const token = request.headers[IDENTITY_HEADER];
    if (token === undefined) return undefined;
    if (typeof token !== 'string') throw unauthenticated();
    const known = verified.get(token);
    if (known !== undefined && known.expiresAtMs > Date.now()) {
      lookups?.hit();
      return known.caller;
    }
    lookups?.miss();
    const claims = verifyToken(token, audience, publicKeys);
    const caller: Caller = {
      principal: claims.principal,
      ...(claims.projectId === undefined ? {} : { projectId: claims.projectId }),
    };
    const endsAt = Math.min(claims.exp, claims.iat + IDENTITY_TTL_SECONDS);
    verified.set(token, { caller, expiresAtMs: endsAt * 1000 });
    return caller;
  };
}

function verifyToken(token: string, audience: ServiceName, publicKeys: ReadonlyMap<string, KeyObject>): IdentityClaims {
  try {
    const keyId = jwt.decode(token, { complete: true })?.header.kid;
    const publicKey = keyId === undefined ? undefined : publicKeys.get(keyId);
    if (publicKey === undefined) throw unauthenticated();
    const claims = IdentityClaims.parse(
      jwt.verify(token, publicKey, {
        // Pinned: the token must not choose how it is verified.
        algorithms: ['ES256'],
        audience,
        maxAge: IDENTITY_TTL_SECONDS,
      }),
    );
    if (claims.iss !== keyId || !mayIssue(claims) || isOfFuture(claims)) throw unauthenticated();
    return claims;
  } catch (error) {
    throw error instanceof AppError ? error : unauthenticated(error);
  }
}

/** Tells whether a token was made later than now, by more than clocks differ: it would live longer than allowed. */
function isOfFuture({ iat }: IdentityClaims): boolean {
  return iat * 1000 > Date.now() + MAX_CLOCK_DIFFERENCE_MS;
}

function mayIssue({ iss, principal }: IdentityClaims): boolean {
  return principal.kind === 'service' ? principal.id === iss : iss === 'gateway';
}

function unauthenticated(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The request carries no valid identity', { cause });
}
