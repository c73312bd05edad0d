import { bootstrapKeys } from './app-commands.ts';
import { GATEWAY } from './apps.ts';
import { appEnvironment, NO_PORTS } from './environment.ts';
import type { EnvironmentSource } from './environment.ts';
import type { Step } from './progress.ts';
import { loadSecrets, saveKeys } from './secrets.ts';
import type { Keys } from './secrets.ts';
import type { Start } from './start.ts';

/** The keys of the first start, which makes them. */
export async function provideKeys(start: Start, environment: EnvironmentSource, step: Step): Promise<Keys> {
  const { keys } = loadSecrets(start.parts.home);
  if (keys === undefined) return makeKeys(start, environment, step);
  step.skip('those of the first start');
  return keys;
}

/** Makes the first workspace and its keys, and keeps them for later starts. */
export async function makeKeys(start: Start, environment: EnvironmentSource, step: Step): Promise<Keys> {
  const gateway = start.apps.find((app) => app.name === GATEWAY);
  if (gateway === undefined) throw new Error('there is no gateway among the applications');
  const keys = await bootstrapKeys(start.programs, {
    env: appEnvironment(environment, gateway, NO_PORTS),
    signal: start.options.signal,
  });
  saveKeys(start.parts.home, keys);
  step.summary('two projects, each with a key');
  return keys;
}

/** Whether the gateway accepts the key: it does not if the database differs from that of the first start. */
export async function areKeysAccepted(start: Start, keys: Keys): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${start.gatewayPort}/v1/me`, {
      headers: { authorization: `Bearer ${keys.apiKey}` },
      signal: AbortSignal.any([start.options.signal, AbortSignal.timeout(10_000)]),
    });
    await response.body?.cancel();
    return response.status !== 401;
  } catch {
    start.options.signal.throwIfAborted();
    return true;
  }
}
