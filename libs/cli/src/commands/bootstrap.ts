import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

const GATEWAY_COMMAND = join(import.meta.dirname, '../../../../apps/gateway/dist/bootstrap.js');

/**
 * Creates a workspace with its first project and keys. The gateway owns them, so this command runs the gateway's own
 * one.
 */
export const bootstrapCommand: Command = {
  name: 'bootstrap',
  usage: 'bootstrap [--workspace NAME] [--project NAME] [--second-project NAME] [--output text|json]',
  summary: 'make a workspace with its first project and keys: the way in before any key exists',
  async run(args, context) {
    if (!existsSync(GATEWAY_COMMAND)) throw new UsageError('Build the gateway first: npm run build');
    const env = {
      ...context.env,
      MONGO_URL: setting(context, 'MONGO_URL', ({ stack }) => stack['mongoUrl']),
      AUTH_SECRET: setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']),
    };
    const child = spawn(process.execPath, [GATEWAY_COMMAND, ...args], { env, stdio: 'inherit' });
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => resolve(exitCode ?? 1));
    });
  },
};
