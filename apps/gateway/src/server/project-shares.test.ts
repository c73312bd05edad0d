import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { OTHER_PROJECT, PROJECT, testKey, WORKSPACE } from '../test-support/keys.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const greedy = Array.from({ length: 3 }, () => testKey());
const modest = testKey({ projectIds: [OTHER_PROJECT] });

interface Held {
  front: Front;
  upstream: Upstream;
  /** Answers the first request that waits at the service. */
  answerOne(): void;
  /** Answers the requests that wait, and all later ones. */
  answerAll(): void;
}

/** Starts a service that answers only when told to. */
async function start(options: FrontOptions): Promise<Held> {
  const waiting: ServerResponse[] = [];
  let isHeld = true;
  const upstream = await startUpstream((_request, response) => {
    if (isHeld) waiting.push(response);
    else response.end('{}');
  });
  const projects = { [OTHER_PROJECT]: WORKSPACE };
  const front = await startFront({ upstreamUrl: upstream.url, keys: [...greedy, modest], projects, ...options });
  closing.push(upstream.close, front.stop);
  const answerAll = () => {
    isHeld = false;
    waiting.splice(0).forEach((response) => response.end('{}'));
  };
  return { front, upstream, answerOne: () => waiting.shift()?.end('{}'), answerAll };
}

/** Sends `count` requests of the greedy project, with each of its keys in turn. */
function ask({ front }: Held, path: string, count: number, init: RequestInit = {}): Promise<number>[] {
  return Array.from({ length: count }, async (_, index) => {
    const { authorization } = greedy[index % greedy.length]!;
    return (await fetch(`${front.url}${path}`, { ...init, headers: { authorization } })).status;
  });
}

async function askModest({ front }: Held, path: string, init: RequestInit = {}): Promise<number> {
  const { authorization } = modest;
  return (await fetch(`${front.url}${path}`, { ...init, headers: { authorization } })).status;
}

const datasetsOf = (projectId: string) => `/v1/projects/${projectId}/datasets`;
const CHAT = '/v1/chat/completions';
const POST = { method: 'POST' };

describe('requests that are answered soon', () => {
  it('of one project are at a service up to its share, whatever keys it has, and the others wait', async () => {
    const held = await start({ turns: { places: 4, share: 2 } });
    const answers = ask(held, datasetsOf(PROJECT), 6);
    await eventually(() => expect(held.upstream.seen).toHaveLength(2));
    const other = askModest(held, datasetsOf(OTHER_PROJECT));
    await eventually(() => expect(held.upstream.seen).toHaveLength(3));
    held.answerOne();
    await eventually(() => expect(held.upstream.seen).toHaveLength(4));
    held.answerAll();
    expect(await Promise.all([...answers, other])).toEqual(Array(7).fill(200));
  });

  it('give their place back where the caller goes away, waiting or not', async () => {
    const held = await start({ turns: { places: 1, share: 1 } });
    const leaving = new AbortController();
    const gone = ask(held, datasetsOf(PROJECT), 3, { signal: leaving.signal });
    await eventually(() => expect(held.upstream.seen).toHaveLength(1));
    leaving.abort();
    expect((await Promise.allSettled(gone)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    held.answerAll();
    expect(await askModest(held, datasetsOf(OTHER_PROJECT))).toBe(200);
  });

  it('wait behind no call of a model', async () => {
    const held = await start({ turns: { places: 1, share: 1 } });
    const chats = ask(held, CHAT, 3, POST);
    await eventually(() => expect(held.upstream.seen).toHaveLength(3));
    const list = ask(held, datasetsOf(PROJECT), 1);
    await eventually(() => expect(held.upstream.seen).toHaveLength(4));
    held.answerAll();
    expect(await Promise.all([...chats, ...list])).toEqual(Array(4).fill(200));
  });
});

describe('requests under way', () => {
  it('of one project with many keys leave a quarter of all to the others', async () => {
    const held = await start({ maxRequestsOfProjects: 8 });
    const chats = ask(held, CHAT, 6, POST);
    await eventually(() => expect(held.upstream.seen).toHaveLength(6));
    expect(await Promise.all(ask(held, CHAT, 3, POST))).toEqual([429, 429, 429]);
    const other = askModest(held, CHAT, POST);
    await eventually(() => expect(held.upstream.seen).toHaveLength(7));
    held.answerAll();
    expect(await Promise.all([...chats, other])).toEqual(Array(7).fill(200));
    await eventually(async () => expect(await Promise.all(ask(held, CHAT, 1, POST))).toEqual([200]));
  });

  it('are of no project that the key does not open', async () => {
    const held = await start({ maxRequestsOfProjects: 4 });
    expect(await Promise.all(ask(held, datasetsOf(OTHER_PROJECT), 20))).toEqual(Array(20).fill(404));
    held.answerAll();
    expect(await askModest(held, datasetsOf(OTHER_PROJECT))).toBe(200);
  });
});
