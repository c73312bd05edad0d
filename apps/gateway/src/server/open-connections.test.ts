import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw, type RawConnection } from '../test-support/raw-http.ts';
import { startUpstream } from '../test-support/upstream.ts';

const PATH = `/v1/projects/${PROJECT}/datasets`;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: FrontOptions): Promise<Front> {
  const upstream = await startUpstream();
  const front = await startFront({ upstreamUrl: upstream.url, ...options });
  closing.push(upstream.close, front.stop);
  return front;
}

async function open(front: Front): Promise<RawConnection> {
  const connection = await openRaw(front.port);
  closing.push(() => connection.destroy());
  return connection;
}

async function ask(front: Front, connection: RawConnection): Promise<number> {
  connection.send(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n\r\n`);
  return (await connection.answer()).status;
}

describe('a connection over which nothing comes', () => {
  it('is closed in the time for headers, from its beginning and in the middle of them', async () => {
    const front = await start({ headersTimeoutMs: 500 });
    const silent = await open(front);
    const halting = await open(front);
    halting.send('GET / HTTP/1.1\r\nHost: x\r\nX-Half');
    for (const connection of [silent, halting]) {
      expect((await connection.answer(5_000)).status).toBe(408);
      await connection.closed();
    }
  });

  it('is kept for its next request, once there was one', async () => {
    const front = await start({ headersTimeoutMs: 500 });
    const kept = await open(front);
    expect(await ask(front, kept)).toBe(200);
    await (await open(front)).closed();
    expect(await ask(front, kept)).toBe(200);
  });
});

describe('connections beyond the most that are open', () => {
  it('take the place of those that have sent nothing, the oldest first, and of no other', async () => {
    const front = await start({ maxConnections: 3 });
    const used = await open(front);
    expect(await ask(front, used)).toBe(200);
    const [older, younger] = [await open(front), await open(front)];
    const newcomer = await open(front);
    await older.closed();
    expect(await ask(front, newcomer)).toBe(200);
    const next = await open(front);
    await younger.closed();
    expect([await ask(front, next), await ask(front, used)]).toEqual([200, 200]);
  });

  it('are closed themselves where all that are open are in use', async () => {
    const front = await start({ maxConnections: 2 });
    const used = [await open(front), await open(front)];
    for (const connection of used) expect(await ask(front, connection)).toBe(200);
    await (await open(front)).closed();
    for (const connection of used) expect(await ask(front, connection)).toBe(200);
  });

  it('do not keep anybody from being served, however many are opened', async () => {
    const front = await start({ maxConnections: 100 });
    const opened: RawConnection[] = [];
    for (let count = 0; count < 500; count += 1) opened.push(await open(front));
    expect(await ask(front, await open(front))).toBe(200);
    await eventually(() => expect(opened.filter(({ socket }) => socket.destroyed).length).toBeGreaterThan(400));
  });
});
