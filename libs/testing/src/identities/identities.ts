import { generateKeyPairSync } from 'node:crypto';
import { SERVICE_NAMES, type Permission, type Principal, type Scope, type ServiceName } from '@clew/contracts';
import { createIdentitySigner, createIdentityVerifier, type Authenticate, type IdentitySigner } from '@clew/http';

/** Keys of all signing processes, with the verifier that knows them. */
export interface Identities {
  /** Signer of a process for its own calls. */
  signerOf(service: ServiceName): IdentitySigner;
  /** Identities for calls to one service: tokens, and their verification. */
  at(service: ServiceName): ServiceIdentities;
}

export interface ServiceIdentities {
  /** Token that the gateway, or a service for itself, sends to the service with a request. */
  tokenOf(principal: Principal, projectId?: string): string;
  readonly authenticate: Authenticate;
}

export function createIdentities(): Identities {
  const pairs = new Map(SERVICE_NAMES.map((name) => [name, generateKeyPairSync('ec', { namedCurve: 'P-256' })]));
  const publicKeys = new Map([...pairs].map(([name, { publicKey }]) => [name, publicKey]));
  const signers = new Map([...pairs].map(([name, { privateKey }]) => [name, createIdentitySigner(name, privateKey)]));
  const signerOf = (service: ServiceName) => signers.get(service) as IdentitySigner;
  return {
    signerOf,
    at: (service) => ({
      tokenOf(principal, projectId) {
        const caller = { principal, ...(projectId === undefined ? {} : { projectId }) };
        const sign = signerOf(principal.kind === 'service' ? principal.id : 'gateway');
        return sign(service, JSON.stringify(caller), caller);
      },
      authenticate: createIdentityVerifier(service, publicKeys),
    }),
  };
}

export function keyWith(...scopes: Scope[]): Principal {
  return { kind: 'key', id: `key_${'1'.repeat(26)}`, scopes };
}

export function userWith(...permissions: Permission[]): Principal {
  return { kind: 'user', id: `usr_${'1'.repeat(26)}`, permissions };
}

export function service(id: ServiceName): Principal {
  return { kind: 'service', id };
}
