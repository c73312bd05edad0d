import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission, Principal, Role, ServiceName } from '@clew/contracts';
import { runningStack, stackHome } from './stack.ts';

/** Header with the identity of a caller, which only processes of the deployment send. */
export const IDENTITY = 'x-clew-identity';

/** Permissions of a person by role, as the design lists them. */
const VIEWER: Permission[] = ['project:read', 'project:data:read', 'project:diagnostics:read'];
const EDITOR: Permission[] = [
  ...VIEWER,
  ...(['project:update', 'project:data:write', 'project:diagnostics:write', 'gateway:invoke'] as const),
];
const ADMIN: Permission[] = [...EDITOR, 'project:models:manage', 'project:members:manage', 'project:keys:manage'];
export const DESIGNED_PERMISSIONS: Readonly<Record<Role | 'owner', readonly Permission[]>> = {
  viewer: VIEWER,
  editor: EDITOR,
  admin: ADMIN,
  owner: [...ADMIN, 'workspace:admin'],
};

/** Private key of a process of the stack: what the deployment keeps most secret, after its root secret. */
export function keyOf(process: ServiceName): KeyObject {
  return createPrivateKey(readFileSync(join(stackHome(), 'identity', `${process}.pem`)));
}

/** Public key of a process, which everybody in the deployment has. */
export function publicKeyOf(process: ServiceName): KeyObject {
  return createPublicKey(keyOf(process));
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Encodes a token; the signature is made of what is signed. */
export function encoded(header: object, claims: object, signature: (text: string) => Buffer): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${signature(text).toString('base64url')}`;
}

/** Signs as ES256 does. */
export const signedBy = (key: KeyObject) => (text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

/** Claims of the gateway about a caller, for a service and a project. */
export function claimsOf(audience: ServiceName, principal: Principal, projectId: string) {
  const iat = Math.floor(Date.now() / 1_000);
  return { principal, projectId, iat, exp: iat + 60, aud: audience, iss: 'gateway' };
}

export const HEADER = { alg: 'ES256', typ: 'JWT', kid: 'gateway' };

const gatewayKeys = new Map<string, KeyObject>();

/** Token that the gateway of the stack would send. */
export function identityOf(audience: ServiceName, principal: Principal, projectId: string): string {
  const home = stackHome();
  const key = gatewayKeys.get(home) ?? keyOf('gateway');
  gatewayKeys.set(home, key);
  return encoded(HEADER, claimsOf(audience, principal, projectId), signedBy(key));
}

/** Token of a service that speaks for itself. */
export function identityOfService(audience: ServiceName, name: ServiceName, projectId: string): string {
  const claims = { ...claimsOf(audience, { kind: 'service', id: name }, projectId), iss: name };
  return encoded({ ...HEADER, kid: name }, claims, signedBy(keyOf(name)));
}

/** Address of a service, past the gateway. */
export function urlOf(service: ServiceName): string {
  const { [service]: running } = runningStack().services;
  if (running === undefined) throw new Error(`${service} does not run`);
  return running.url;
}
