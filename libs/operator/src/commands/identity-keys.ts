import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_NAMES, SERVICES } from '@clew/contracts';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';
import { newIdentityKey, publicKeySet } from '../identity-key.ts';
import { ownerOf } from './owner.ts';

const PUBLIC_KEYS = 'public-keys.json';

/**
 * Creates the keys with which processes sign the identity of callers; existing keys stay, so that it can be repeated.
 */
export const identityKeysCommand: Command = {
  name: 'identity-keys',
  usage: 'identity-keys <folder> [--owner UID] [--separate]',
  summary: 'make the private key of each process that signs, where there is none, and the set of public keys',
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { owner: { type: 'string' }, separate: { type: 'boolean', default: false } },
    });
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0) throw new UsageError('Say the one folder to make them in');
    const owner = ownerOf(values.owner);
    const { privateKeyOf, publicKeys } = values.separate ? separateFiles(folder) : filesTogether(folder);
    const signers = SERVICE_NAMES.filter((name) => SERVICES[name].signsIdentity);
    const keys = signers.map((name) => [name, privateKey(privateKeyOf(name), owner)] as const);
    mkdirSync(dirname(publicKeys), { recursive: true });
    writeFileSync(publicKeys, publicKeySet(keys));
    context.write(`${signers.length} keys and ${PUBLIC_KEYS} are in ${folder}\n`);
    return 0;
  },
};

interface KeyFiles {
  privateKeyOf(name: string): string;
  publicKeys: string;
}

function filesTogether(folder: string): KeyFiles {
  return { privateKeyOf: (name) => join(folder, `${name}.pem`), publicKeys: join(folder, PUBLIC_KEYS) };
}

/** Uses a folder for each process and one for the public keys, so that each process can be given only its own. */
function separateFiles(folder: string): KeyFiles {
  return {
    privateKeyOf: (name) => join(folder, name, 'private.pem'),
    publicKeys: join(folder, 'public', PUBLIC_KEYS),
  };
}

function privateKey(file: string, owner: number | undefined): string {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) writeFileSync(file, newIdentityKey(), { mode: 0o600 });
  const key = readFileSync(file, 'utf8');
  if (owner !== undefined) chownSync(file, owner, owner);
  return key;
}
