import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Channel } from 'amqplib';
import { runCommand } from '@clew/operator';
import { migrateTopology } from '@clew/messaging';
import { eventually, silentLogger } from '@clew/testing';
import { startConfinedServers, type ConfinedServers } from './test-support/confined-servers.ts';

const START_TIMEOUT_MS = 300_000;
const TEST_TIMEOUT_MS = 120_000;
const QUEUE = 'telemetry-warehouse.spans-received.v1';

const folder = mkdtempSync(join(tmpdir(), 'clew-command-line-'));
let servers: ConfinedServers;

beforeAll(async () => {
  servers = await startConfinedServers(folder);
  await migrateTopology({ url: servers.amqpUrl('jobs-worker-migrate'), logger: silentLogger() });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await servers.stop();
  rmSync(folder, { recursive: true });
});

async function clew(...args: string[]) {
  const lines: string[] = [];
  const env = { AMQP_URL: servers.amqpUrl('cli') };
  expect(await runCommand(args, { env, write: (text) => lines.push(text) })).toBe(0);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const counts = async () => (await clew('dead-letters')).find(({ queue }) => queue === QUEUE);

describe('the command line, as the user that it has in a deployment', () => {
  it(
    'counts the dead letters of every queue, shows them, and sends them back to their own',
    async () => {
      const connection = await connect(servers.amqpUrl('telemetry-warehouse'));
      const channel = await connection.createConfirmChannel();
      channel.publish('clew.dead', QUEUE, Buffer.from('no spans'), { messageId: 'malformed', persistent: true });
      await channel.waitForConfirms();
      await connection.close();
      await eventually(async () => expect(await counts()).toMatchObject({ messages: 0, deadLetters: 1 }));
      expect(await clew('dead-letters', 'list', QUEUE)).toMatchObject([{ id: 'malformed' }]);
      expect(await clew('dead-letters', 'replay', QUEUE)).toMatchObject([{ replayed: 1, left: 0 }]);
      await eventually(async () => expect(await counts()).toMatchObject({ messages: 1, deadLetters: 0 }));
    },
    TEST_TIMEOUT_MS,
  );

  it.each<[string, (channel: Channel) => Promise<unknown>]>([
    ['declare a queue', (channel) => channel.assertQueue('mine')],
    ['take what waits for a process', (channel) => channel.consume(QUEUE, () => undefined)],
  ])(
    'may not %s',
    async (_what, attempt) => {
      const connection = await connect(servers.amqpUrl('cli'));
      connection.on('error', () => undefined);
      const channel = await connection.createChannel();
      channel.on('error', () => undefined);
      await expect(attempt(channel)).rejects.toMatchObject({ code: 403 });
      await connection.close();
    },
    TEST_TIMEOUT_MS,
  );
});
