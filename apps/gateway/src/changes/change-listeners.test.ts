import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CHANGE_TYPES, type Scope } from '@clew/contracts';
import { AppError, toAppError } from '@clew/kernel';
import { eventually, fixedClock, useCleanup } from '@clew/testing';
import { listenTo, type TestListener } from '../test-support/change-stream.ts';
import { PROJECT, testKey } from '../test-support/keys.ts';
import type { Credential } from '../auth/credential.ts';
import { createChangeListeners, type ChangeListeners } from './change-listeners.ts';

const cleanup = useCleanup();
const opened: TestListener[] = [];
afterEach(() => opened.splice(0).forEach((listener) => listener.stop()));

interface Setting {
  url: string;
  port: number;
  listeners: ChangeListeners;
  clock: ReturnType<typeof fixedClock>;
  responses: ServerResponse[];
  /** Credential of every request; undefined: there is none any more. */
  now: { credential: Credential | undefined };
  /** Lets one second pass. */
  second(): void;
}

const keyWith = (scopes: Scope[], changes = {}) => ({ ...testKey({ scopes }).key, ...changes });

async function setUp({ maxListeners = 100 } = {}): Promise<Setting> {
  const clock = fixedClock(1_700_000_000_000);
  const now: Setting['now'] = { credential: keyWith(['workspace:read', 'diagnostics:read']) };
  const listeners = createChangeListeners({
    authenticator: {
      authenticate() {
        if (now.credential === undefined) throw new AppError('UNAUTHENTICATED', 'gone');
        return now.credential;
      },
    },
    projectAccess: () => undefined,
    ...{ clock, maxListeners, recheckMs: 30_000 },
  });
  const responses: ServerResponse[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    responses.push(response);
    listeners.listen(request, response, PROJECT).catch((error: unknown) => {
      response.writeHead(toAppError(error).status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const second = () => {
    clock.advance(1_000);
    listeners.tick();
  };
  return { url: `http://127.0.0.1:${port}`, port, listeners, clock, responses, now, second };
}

async function listen({ url }: Setting): Promise<TestListener> {
  const listener = await listenTo(url, PROJECT, {});
  opened.push(listener);
  if (listener.status === 200) await listener.hears('ready');
  return listener;
}

describe('a listener', () => {
  it('is told once a second what has changed, each thing once', async () => {
    const setting = await setUp();
    const listener = await listen(setting);
    for (const at of [3, 5, 4]) setting.listeners.add(PROJECT, [{ type: 'finding', id: 'fnd_a' }], at);
    setting.listeners.add(PROJECT, [{ type: 'conversation', id: 'c' }], 6);
    setting.second();
    await listener.hears('conversation');
    expect(listener.events.slice(1)).toEqual([
      { type: 'finding', id: 'fnd_a', at: 5 },
      { type: 'conversation', id: 'c', at: 6 },
    ]);
    expect(listener.text()).toMatch(/^retry: [1-4]\d{3}\n\nevent: ready\ndata: .*\n\nevent: change\n/);
  });

  it('hears a comment when nothing has been said for 15 seconds', async () => {
    const setting = await setUp();
    const listener = await listen(setting);
    for (let count = 0; count < 14; count += 1) setting.second();
    setting.listeners.add(PROJECT, [{ type: 'finding', id: 'fnd_a' }], 1);
    for (let count = 0; count < 15; count += 1) setting.second();
    await listener.hears('finding');
    expect(listener.text()).not.toContain('still here');
    setting.second();
    await eventually(() => expect(listener.text()).toMatch(/: still here\n\n$/));
  });

  it('hears only of what it may read, from the moment that its rights change', async () => {
    const setting = await setUp();
    const listener = await listen(setting);
    setting.now.credential = keyWith(['workspace:read']);
    setting.listeners.recheckAll();
    await eventually(() => {
      setting.second();
      expect(listener.events.filter(({ type }) => type === 'ready')).toHaveLength(2);
    });
    setting.listeners.add(PROJECT, [{ type: 'finding', id: 'fnd_a' }], 1);
    setting.listeners.add(PROJECT, [{ type: 'conversation', id: 'c' }], 1);
    setting.second();
    await listener.hears('conversation');
    expect(listener.events.map(({ type }) => type)).not.toContain('finding');
  });

  it('whose credential is gone ends: when that is told, and also when it is not', async () => {
    const setting = await setUp();
    const [told, untold] = [await listen(setting), await listen(setting)];
    const other = keyWith(['workspace:read']);
    setting.listeners.recheck(other.id);
    expect([told, untold].map((listener) => listener.hasEnded())).toEqual([false, false]);
    const { credential } = setting.now;
    setting.now.credential = undefined;
    setting.listeners.recheck(credential?.id ?? '');
    await told.ends();
    await untold.ends();
    setting.now.credential = credential;
    const missed = await listen(setting);
    setting.now.credential = undefined;
    for (let count = 0; count < 30; count += 1) setting.second();
    await missed.ends();
    expect(setting.listeners.counts()).toEqual({ open: 0, behind: 0 });
  });

  it('ends when its key expires', async () => {
    const setting = await setUp();
    setting.now.credential = keyWith(['workspace:read'], { expiresAt: setting.clock.now() + 2_500 });
    const listener = await listen(setting);
    setting.now.credential = undefined;
    setting.second();
    setting.second();
    expect(setting.listeners.counts().open).toBe(1);
    setting.second();
    await listener.ends();
  });

  it('of nothing at all is refused', async () => {
    const setting = await setUp();
    setting.now.credential = keyWith(['telemetry:write']);
    expect((await listen(setting)).status).toBe(403);
    expect(setting.listeners.counts().open).toBe(0);
  });

  it('of a project that is deleted ends, and one that leaves gives its place back', async () => {
    const setting = await setUp({ maxListeners: 4 });
    const first = await listen(setting);
    for (let count = 0; count < 2; count += 1) await listen(setting);
    expect((await listen(setting)).status).toBe(429);
    first.stop();
    await eventually(() => expect(setting.listeners.counts().open).toBe(2));
    const last = await listen(setting);
    expect(last.status).toBe(200);
    setting.listeners.endProject(PROJECT);
    await last.ends();
    await eventually(() => expect(setting.listeners.isHeard(PROJECT)).toBe(false));
  });
});

describe('a listener that reads nothing', () => {
  async function openSilent({ port }: Setting): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    cleanup(async () => socket.destroy());
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'connect');
    return socket;
  }

  const many = (round: number) =>
    CHANGE_TYPES.flatMap((type) =>
      Array.from({ length: 100 }, (_, index) => ({ type, id: `${'x'.repeat(200)}-${round}-${index}` })),
    );

  it('holds a bounded amount, is told to read all again once it reads, and delays nobody', async () => {
    const setting = await setUp();
    const socket = await openSilent(setting);
    await eventually(() => expect(setting.listeners.counts().open).toBe(1));
    let rounds = 0;
    await eventually(
      () => {
        rounds += 1;
        setting.listeners.add(PROJECT, many(rounds), 1);
        setting.second();
        expect(setting.listeners.counts().behind).toBe(1);
      },
      { timeoutMs: 30_000 },
    );
    const held = setting.responses[0]?.writableLength ?? 0;
    for (let count = 0; count < 20; count += 1) {
      setting.listeners.add(PROJECT, many(rounds + count), 1);
      setting.second();
    }
    expect(setting.responses[0]?.writableLength).toBe(held);
    expect(held).toBeLessThan(2 * 1024 * 1024);
    const other = await listen(setting);
    setting.listeners.add(PROJECT, [{ type: 'finding', id: 'fnd_last' }], 1);
    setting.second();
    await other.hears('finding', 'fnd_last');
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard = (heard + chunk.toString()).slice(-10_000)));
    socket.resume();
    await eventually(() => {
      setting.listeners.tick();
      expect(heard).toMatch(/event: ready\ndata: [^\n]*\n\n\r\n$/);
    });
  });

  it('is cut off after 30 seconds', async () => {
    const setting = await setUp();
    await openSilent(setting);
    await eventually(() => expect(setting.listeners.counts().open).toBe(1));
    await eventually(
      () => {
        setting.listeners.add(PROJECT, many(0), 1);
        setting.second();
        expect(setting.listeners.counts().behind).toBe(1);
      },
      { timeoutMs: 30_000 },
    );
    for (let count = 0; count < 31; count += 1) setting.second();
    await eventually(() => expect(setting.listeners.counts()).toEqual({ open: 0, behind: 0 }));
    expect(setting.responses[0]?.destroyed).toBe(true);
  });
});
