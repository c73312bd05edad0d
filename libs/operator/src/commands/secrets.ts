import { UsageError } from '@clew/runtime';
import { runAppScript } from '../app-script.ts';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

/** Services that store credentials, each with its own command, because only the service reads its database. */
const KEEPERS = ['model-runtime-svc', 'diagnostics-svc'];

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
      context.write(`${keeper}: `);
      const code = await runAppScript(keeper, 'rewrap', { env });
      if (code !== 0) return code;
    }
    return 0;
  },
};
