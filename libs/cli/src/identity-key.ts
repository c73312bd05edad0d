import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

// Imports nothing but Node, since deploy/k8s/make-secrets.mjs runs it where nothing is installed.

/** A new private key of a process that says who calls, as PEM. */
export function newIdentityKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The set that verifies what the keys sign, by the names of their processes: each a JSON Web Key with that id. */
export function publicKeySet(keys: readonly (readonly [string, string])[]): string {
  return `${JSON.stringify({ keys: keys.map(([name, pem]) => publicKey(name, pem)) }, null, 2)}\n`;
}

function publicKey(kid: string, pem: string): object {
  const { kty, crv, x, y } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
