import { chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { deriveAgentKeys } from '@clew/kernel';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';
import { ownerOf } from './owner.ts';

/** Writes the keys that the runtime agent gets in place of AUTH_SECRET. */
export const agentKeysCommand: Command = {
  name: 'agent-keys',
  usage: 'agent-keys <file> [--owner UID]',
  summary: 'write the keys that the runtime agent is given, derived from AUTH_SECRET (and AUTH_SECRET_PREVIOUS)',
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { owner: { type: 'string' } },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('Say the one file to write them to');
    const owner = ownerOf(values.owner);
    const authSecret = setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']);
    const keys = deriveAgentKeys(authSecret, context.env['AUTH_SECRET_PREVIOUS'] || undefined);
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.new`;
    writeFileSync(temporary, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
    if (owner !== undefined) chownSync(temporary, owner, owner);
    renameSync(temporary, file);
    context.write(`the keys of the runtime agent are in ${file}\n`);
    return 0;
  },
};
