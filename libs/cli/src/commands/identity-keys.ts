import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_NAMES, SERVICES } from '@clew/contracts';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';

const PUBLIC_KEYS = 'public-keys.json';

/** Makes the keys with which processes sign who calls; what is there stays, so that it can be repeated. */
export const identityKeysCommand: Command = {
  name: 'identity-keys',
  usage: 'identity-keys <folder> [--owner UID]',
  summary: 'make the private key of each process that signs, where there is none, and the set of public keys',
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { owner: { type: 'string' } },
    });
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0) throw new UsageError('Say the one folder to make them in');
    const owner = values.owner === undefined ? undefined : Number(values.owner);
    if (owner !== undefined && !Number.isInteger(owner)) throw new UsageError('--owner is the number of a user');
    mkdirSync(folder, { recursive: true });
    const signers = SERVICE_NAMES.filter((name) => SERVICES[name].signsIdentity);
    const keys = signers.map((name) => publicKey(name, privateKey(join(folder, `${name}.pem`), owner)));
    writeFileSync(join(folder, PUBLIC_KEYS), `${JSON.stringify({ keys }, null, 2)}\n`);
    context.write(`${signers.length} keys and ${PUBLIC_KEYS} are in ${folder}\n`);
  },
};

function privateKey(file: string, owner: number | undefined): string {
  if (!existsSync(file)) {
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    writeFileSync(file, made.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const key = readFileSync(file, 'utf8');
  if (owner !== undefined) chownSync(file, owner, owner);
  return key;
}

/** As a JSON Web Key whose id is the name of the process. */
function publicKey(kid: string, pem: string): object {
  const { kty, crv, x, y } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
