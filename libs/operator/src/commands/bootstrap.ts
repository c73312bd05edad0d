import { runAppScript } from '../app-script.ts';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

/**
 * Creates a project and keys, and the workspace if there is none yet. The gateway owns them, so this command runs the gateway's own
 * one.
 */
export const bootstrapCommand: Command = {
  name: 'bootstrap',
  usage: 'bootstrap [--workspace NAME] [--project NAME] [--second-project NAME] [--admin EMAIL] [--output text|json]',
  summary:
    'make a project and keys in the workspace, which it makes if there is none: the way in before any key exists',
  async run(args, context) {
    const env = {
      ...context.env,
      MONGO_URL: setting(context, 'MONGO_URL', ({ stack }) => stack['mongoUrl']),
      AUTH_SECRET: setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']),
    };
    return await runAppScript('gateway', 'bootstrap', { args, env });
  },
};
