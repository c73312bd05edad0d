import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { writeFileAtomic, writeJson } from '../system/files.ts';
import type { AppDefinition } from './apps.ts';
import type { Home } from './home.ts';

/** Path of the public keys of all signers, as a JSON Web Key Set. */
export function publicKeysFile(home: Home): string {
  return path.join(home.identityDirectory, 'public-keys.json');
}

/** Path of an application's private key, as PKCS#8 PEM. */
export function privateKeyFile(home: Home, appName: string): string {
  return path.join(home.identityDirectory, `${appName}.pem`);
}

/** Creates missing P-256 keys, and writes the set of public keys. */
export function prepareIdentityKeys(home: Home, apps: readonly AppDefinition[]): void {
  const keys = apps
    .filter((app) => app.signsIdentity)
    .map((app) => {
      const file = privateKeyFile(home, app.name);
      if (!fs.existsSync(file)) writeFileAtomic(file, newPrivateKey());
      const { kty, crv, x, y } = createPublicKey(createPrivateKey(fs.readFileSync(file, 'utf8'))).export({
        format: 'jwk',
      });
      return { kty, crv, x, y, kid: app.name, alg: 'ES256', use: 'sig' };
    });
  writeJson(publicKeysFile(home), { keys });
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
