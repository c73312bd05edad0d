import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTracing } from '@clew/runtime';
import { eventually, startTraceCollector, type TraceCollector } from '@clew/testing';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const PATH = `/v1/projects/${PROJECT}/traces`;
const CALLERS_TRACE = 'a'.repeat(32);
const CALLERS = `00-${CALLERS_TRACE}-${'b'.repeat(16)}-01`;

let collector: TraceCollector;
let upstream: Upstream;
let front: Front;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  collector = await startTraceCollector();
  upstream = await startUpstream();
  front = await startFront({ upstreamUrl: upstream.url });
  closing.push(collector.stop, upstream.close, front.stop);
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function tracing(ratio: string): Promise<() => Promise<void>> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio };
  const started = await startTracing({ service: 'gateway', version: '1', env });
  const stop = async () => started?.stop();
  closing.push(stop);
  return stop;
}

async function call(headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${front.url}${PATH}`, {
    headers: { authorization: front.key.authorization, ...headers },
  });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return response.headers.get('x-service-request-id') ?? '';
}

const logged = (requestId: string) =>
  eventually(() => {
    const line = front.log.find((each) => each['requestId'] === requestId);
    expect(line).toBeDefined();
    return line;
  });

describe('a request that is sampled', () => {
  it('is a step whose trace the service goes on with, and which its log line names', async () => {
    const stop = await tracing('1');
    const requestId = await call();
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(
      String(upstream.seen[0]?.headers['x-clew-traceparent']),
    ) ?? ['', '', ''];
    expect(await logged(requestId)).toMatchObject({ traceId });
    await stop();
    expect(collector.spans).toEqual([
      { service: 'gateway', traceId, spanId, parentSpanId: '', name: 'GET telemetry-warehouse', linked: [] },
    ]);
  });

  it('has a trace of its own, linked to the one that its caller names, which goes on as it came', async () => {
    const stop = await tracing('1');
    await logged(await call({ traceparent: CALLERS, 'x-clew-traceparent': CALLERS }));
    const headers = upstream.seen[0]?.headers ?? {};
    expect(headers['traceparent']).toBe(CALLERS);
    expect(headers['x-clew-traceparent']).not.toContain(CALLERS_TRACE);
    await stop();
    expect(collector.spans).toHaveLength(1);
    expect(collector.spans[0]).toMatchObject({ linked: [CALLERS_TRACE], parentSpanId: '' });
    expect(collector.spans[0]?.traceId).not.toBe(CALLERS_TRACE);
  });
});

describe('a caller who names a sampled trace', () => {
  it.each(['0', undefined])('is not sampled for it: %s', async (ratio) => {
    const stop = ratio === undefined ? undefined : await tracing(ratio);
    const line = await logged(await call({ traceparent: CALLERS, 'x-clew-traceparent': CALLERS }));
    expect(line).not.toHaveProperty('traceId');
    const headers = upstream.seen[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('x-clew-traceparent');
    // The caller's own traceparent is passed on: the service records a model call in the caller's trace.
    expect(headers['traceparent']).toBe(CALLERS);
    await stop?.();
    expect(collector.spans).toEqual([]);
  });
});
