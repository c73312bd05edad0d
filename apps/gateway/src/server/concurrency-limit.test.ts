import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT, testKey, type TestKey } from '../test-support/keys.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';
import type { CallKind } from './concurrency-limit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const [key, otherKey] = [testKey(), testKey()];
const MODELS = `/v1/projects/${PROJECT}/models`;
const CALLS: Readonly<Record<CallKind, readonly [method: string, path: string, accept?: string]>> = {
  json: ['GET', `/v1/projects/${PROJECT}/datasets`],
  batch: ['POST', `/v1/projects/${PROJECT}/datasets/dst_1/examples/batch`],
  otlp: ['POST', '/v1/traces'],
  inference: ['POST', '/v1/chat/completions', 'text/event-stream'],
  audio: ['POST', '/v1/audio/transcriptions'],
  stream: ['GET', `/v1/projects/${PROJECT}/datasets/dst_1/export`],
  events: ['GET', `${MODELS}/activity`, 'text/event-stream'],
};
const KINDS = Object.keys(CALLS) as CallKind[];

interface Held {
  front: Front;
  upstream: Upstream;
  /** Answers the requests that wait, and all later ones. */
  answerAll(): void;
}

/** Starts a service that answers only when told to. */
async function start(maxAtATime: Partial<Record<CallKind, number>>): Promise<Held> {
  const waiting: ServerResponse[] = [];
  let isHeld = true;
  const upstream = await startUpstream((_request, response) => {
    if (isHeld) waiting.push(response);
    else response.end('{}');
  });
  const front = await startFront({ upstreamUrl: upstream.url, keys: [key, otherKey], maxAtATime });
  closing.push(upstream.close, front.stop);
  const answerAll = () => {
    isHeld = false;
    waiting.splice(0).forEach((response) => response.end('{}'));
  };
  return { front, upstream, answerAll };
}

function call({ front }: Held, kind: CallKind, as: TestKey = key, signal?: AbortSignal): Promise<Response> {
  const [method, path, accept] = CALLS[kind];
  return fetch(`${front.url}${path}`, {
    method,
    headers: { authorization: as.authorization, ...(accept === undefined ? {} : { accept }) },
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('requests of one key under way', () => {
  it.each(KINDS)('are bounded: one more is 429, until one has ended (%s)', async (kind) => {
    const held = await start({ [kind]: 2 });
    const begun = [call(held, kind), call(held, kind)];
    await eventually(() => expect(held.upstream.seen).toHaveLength(2));
    const refused = await call(held, kind);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.headers.get('ratelimit-limit')).not.toBeNull();
    expect(await refused.text()).toMatch(/rate_limited/i);
    const others = [call(held, kind, otherKey), ...KINDS.filter((other) => other !== kind).map((o) => call(held, o))];
    await eventually(() => expect(held.upstream.seen).toHaveLength(2 + others.length));
    held.answerAll();
    for (const answer of await Promise.all([...begun, ...others])) expect(answer.status).toBe(200);
    await eventually(async () => expect((await call(held, kind)).status).toBe(200));
  });

  it('end with callers that go away, and with what is refused', async () => {
    const held = await start({ json: 1 });
    const leaving = new AbortController();
    const gone = call(held, 'json', key, leaving.signal).catch(() => 'gone');
    await eventually(() => expect(held.upstream.seen).toHaveLength(1));
    for (let count = 0; count < 3; count += 1) expect((await call(held, 'json')).status).toBe(429);
    leaving.abort();
    expect(await gone).toBe('gone');
    held.answerAll();
    await eventually(async () => expect((await call(held, 'json')).status).toBe(200));
  });

  it('are none of one whose caller went away while its key was looked up', async () => {
    const { promise, resolve: found } = Promise.withResolvers<void>();
    const upstream = await startUpstream();
    const front = await startFront({ upstreamUrl: upstream.url, lookingUp: () => promise, maxAtATime: { json: 1 } });
    closing.push(upstream.close, front.stop);
    const headers = { authorization: front.key.authorization };
    const url = `${front.url}${CALLS.json[1]}`;
    const gone = fetch(url, { headers, signal: AbortSignal.timeout(500) }).catch(() => 'gone');
    expect(await gone).toBe('gone');
    await eventually(() => expect(front.log).toContainEqual(expect.objectContaining({ status: 499 })));
    found();
    await eventually(async () => expect((await fetch(url, { headers })).status).toBe(200));
  });

  it('are counted as ordinary ones where events are accepted, and not what the route has', async () => {
    const held = await start({ events: 1, json: 2 });
    const [, path] = CALLS.json;
    const headers = { authorization: key.authorization, accept: 'application/json, text/event-stream' };
    const begun = [1, 2].map(() => fetch(`${held.front.url}${path}`, { headers }));
    await eventually(() => expect(held.upstream.seen).toHaveLength(2));
    held.answerAll();
    for (const answer of await Promise.all(begun)) expect(answer.status).toBe(200);
  });
});
