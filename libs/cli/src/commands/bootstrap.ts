import { runAppScript } from '../app-script.ts';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

/**
 * Creates a workspace with its first project and keys. The gateway owns them, so this command runs the gateway's own
 * one.
 */
export const bootstrapCommand: Command = {
  name: 'bootstrap',
  usage: 'bootstrap [--workspace NAME] [--project NAME] [--second-project NAME] [--admin EMAIL] [--output text|json]',
  summary: 'make a workspace with its first project and keys: the way in before any key exists',
  async run(args, context) {
    const env = {
      ...context.env,
      MONGO_URL: setting(context, 'MONGO_URL', ({ stack }) => stack['mongoUrl']),
      AUTH_SECRET: setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']),
    };
    return await runAppScript('gateway', 'bootstrap', { args, env });
  },
};
