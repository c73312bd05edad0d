// Process for the tests of run-service: it does what its argument says. It prints its events in order, one per line.
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import { createLogger } from '../logger.ts';
import { UsageError } from '../usage-error.ts';
import { runUntilSignal, startService, type Stoppable } from '../run-service.ts';

const [scenario = ''] = process.argv.slice(2);
const say = (text: string) => process.stderr.write(`${text}\n`);
const waiting: string[] = [];
const part = (name: string, stop: Stoppable['stop']): Stoppable => ({ name, stop });

const PARTS: Record<string, readonly (Stoppable | readonly Stoppable[])[]> = {
  together: [['consumer', 'loop'].map(meeting), part('database', () => void say('database stopped'))],
  orderly: [
    part('server', async () => {
      await sleep(50);
      say('server stopped');
    }),
    part('database', () => void say('database stopped')),
  ],
  failing: [
    part('server', async () => {
      throw new Error('cannot');
    }),
    part('database', () => void say('database stopped')),
  ],
  stuck: [part('server', () => new Promise(() => undefined))],
};

await startService(async () => {
  if (scenario === 'misused') throw new UsageError('The key cannot be read');
  if (scenario === 'misconfigured') throw new ConfigError(['PORT: must be a number']);
  if (scenario === 'broken') throw new Error('cannot start');
  const logger = createLogger({ service: 'test', version: '0', level: 'info' });
  runUntilSignal({ logger, graceMs: 300, stopInOrder: () => PARTS[scenario] ?? [] });
  setInterval(() => undefined, 1_000);
  if (scenario === 'throwing') setImmediate(() => fail());
  if (scenario === 'rejecting') void Promise.reject(new Error('nobody catches this'));
  logger.info('a line before it ends');
  say('ready');
});

/** Creates a component that stops only once all of its kind are stopping. */
function meeting(name: string): Stoppable {
  return part(name, async () => {
    waiting.push(name);
    while (waiting.length < 2) await sleep(5);
    say(`${name} stopped`);
  });
}

function fail(): never {
  throw new Error('nobody catches this');
}
