import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_NAMES, SERVICES } from '@clew/contracts';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';
import { newIdentityKey, publicKeySet } from '../identity-key.ts';

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
    const keys = signers.map((name) => [name, privateKey(join(folder, `${name}.pem`), owner)] as const);
    writeFileSync(join(folder, PUBLIC_KEYS), publicKeySet(keys));
    context.write(`${signers.length} keys and ${PUBLIC_KEYS} are in ${folder}\n`);
    return 0;
  },
};

function privateKey(file: string, owner: number | undefined): string {
  if (!existsSync(file)) writeFileSync(file, newIdentityKey(), { mode: 0o600 });
  const key = readFileSync(file, 'utf8');
  if (owner !== undefined) chownSync(file, owner, owner);
  return key;
}
