import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

/** Services that store credentials, each with its own command, because only the service reads its database. */
const KEEPERS = ['model-runtime-svc'];
const APPS = join(import.meta.dirname, '../../../../apps');

/** Wraps stored credentials with the new secret, after a change of AUTH_SECRET. */
export const secretsCommand: Command = {
  name: 'secrets',
  usage: 'secrets rewrap',
  summary: 'wrap stored credentials with AUTH_SECRET, after AUTH_SECRET_PREVIOUS (safe to repeat)',
  async run(args, context) {
    if (args.length !== 1 || args[0] !== 'rewrap') throw new UsageError('Say what to do: rewrap');
    const env = {
      ...context.env,
      MONGO_URL: setting(context, 'MONGO_URL', ({ stack }) => stack['mongoUrl']),
      AUTH_SECRET: setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']),
    };
    for (const keeper of KEEPERS) {
      const script = join(APPS, keeper, 'dist/rewrap.js');
      if (!existsSync(script)) throw new UsageError(`Build ${keeper} first: npm run build`);
      context.write(`${keeper}: `);
      const child = spawn(process.execPath, [script], { env, stdio: 'inherit' });
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (exitCode) => resolve(exitCode ?? 1));
      });
      if (code !== 0) return code;
    }
    return 0;
  },
};
