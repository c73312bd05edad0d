import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

// Imports nothing but Node, because deploy/k8s/make-secrets.mjs runs it without any installed packages.

/** Creates a new private key of a process that signs identities, as PEM. */
export function newIdentityKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Builds the key set that verifies the signatures: a JSON Web Key for each process, with its name as the id. */
export function publicKeySet(keys: readonly (readonly [string, string])[]): string {
  return `${JSON.stringify({ keys: keys.map(([name, pem]) => publicKey(name, pem)) }, null, 2)}\n`;
}

function publicKey(kid: string, pem: string): object {
  const { kty, crv, x, y } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
