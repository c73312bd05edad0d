import { UsageError } from '@clew/runtime';
import { runAppScript } from '../app-script.ts';
import type { Command } from '../command.ts';
import { setting } from '../environment.ts';

/**
 * Makes a reset link for a person: the emergency path on the server, where nobody can make one by signing in. The gateway
 * owns the people, so this command runs the gateway's own one.
 */
export const peopleCommand: Command = {
  name: 'people',
  usage: 'people reset-link EMAIL',
  summary: 'make a link by which a person signs in and sets a new password, within an hour',
  async run([action, ...args], context) {
    if (action !== 'reset-link') throw new UsageError(`there is no "${action ?? ''}"`);
    const env = {
      ...context.env,
      MONGO_URL: setting(context, 'MONGO_URL', ({ stack }) => stack['mongoUrl']),
      AUTH_SECRET: setting(context, 'AUTH_SECRET', ({ secrets }) => secrets['authSecret']),
      PUBLIC_URL: setting(context, 'PUBLIC_URL', ({ stack }) => originOf(stack['gatewayUrl'])),
    };
    return await runAppScript('gateway', 'reset-link', { args, env });
  },
};

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined;
}
