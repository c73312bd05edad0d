import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Permission, Principal, Scope, ServiceName } from '@clew/contracts';
import { createIdentitySigner, createIdentityVerifier, type Authenticate, type IdentitySigner } from '@clew/http';

/** Keys of the processes that sign, with the verifier that knows them. */
export interface Identities {
  signerOf(service: ServiceName): IdentitySigner;
  /** The token that the gateway, or a service for itself, sends with a request. */
  tokenOf(principal: Principal, projectId?: string): string;
  readonly authenticate: Authenticate;
}

export function createIdentities(): Identities {
  const pairs = new Map(
    (['gateway', 'jobs-worker'] as const).map((service) => [
      service as ServiceName,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ]),
  );
  const publicKeys = new Map([...pairs].map(([service, { publicKey }]): [string, KeyObject] => [service, publicKey]));
  const signerOf = (service: ServiceName) => {
    const pair = pairs.get(service);
    if (pair === undefined) throw new Error(`${service} has no key here`);
    return createIdentitySigner(service, pair.privateKey);
  };
  return {
    signerOf,
    tokenOf(principal, projectId) {
      const issuer = principal.kind === 'service' ? principal.id : 'gateway';
      return signerOf(issuer)('', { principal, ...(projectId === undefined ? {} : { projectId }) });
    },
    authenticate: createIdentityVerifier(publicKeys),
  };
}

export function keyWith(...scopes: Scope[]): Principal {
  return { kind: 'key', id: `key_${'1'.repeat(26)}`, scopes };
}

export function userWith(...permissions: Permission[]): Principal {
  return { kind: 'user', id: `usr_${'1'.repeat(26)}`, permissions };
}
