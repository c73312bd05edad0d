import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withTemporaryStack, type TemporaryStack } from '@clew/stack';
import {
  encodeConversation,
  eventually,
  startTraceCollector,
  toOtlpJson,
  type CollectedSpan,
  type TraceCollector,
} from '@clew/testing';
import { failingToolConversation } from './support/conversations.ts';

const STACK_TIMEOUT_MS = 900_000;
const SETTLED = { timeoutMs: 60_000 };
/** Word that occurs in the conversation and nowhere else. */
const WORD = 'zebrafinch';

let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(async () => collector.stop());

/** Services that a step came through, ending with its own: each is the parent of the next. */
function cameThrough(span: CollectedSpan): string[] {
  const ofTrace = new Map(
    collector.spans.filter(({ traceId }) => traceId === span.traceId).map((one) => [one.spanId, one]),
  );
  const services: string[] = [];
  let at: CollectedSpan | undefined = span;
  while (at !== undefined) {
    if (services[0] !== at.service) services.unshift(at.service);
    if (at.parentSpanId !== '' && !ofTrace.has(at.parentSpanId)) return [];
    at = ofTrace.get(at.parentSpanId);
  }
  return services;
}

const someStepCame = (...services: string[]) =>
  eventually(() => expect(collector.spans.map(cameThrough)).toContainEqual(services), SETTLED);

function callerOf({ stackFile: { gatewayUrl, apiKey, projectId } }: TemporaryStack) {
  return async (path: string, body: unknown, method = 'POST') => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const url = new URL(path.replace(':projectId', projectId), gatewayUrl);
    return (await fetch(url, { method, headers, body: JSON.stringify(body) })).status;
  };
}

it(
  'one request has one trace through the gateway, a service, its queue and who takes from it, with no word of what was said',
  async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' };
    await withTemporaryStack(settings, async (stack) => {
      const call = callerOf(stack);
      const diagnostics = '/v1/projects/:projectId/diagnostics';
      expect(await call(`${diagnostics}/settings`, { automaticSchedulingEnabled: false }, 'PATCH')).toBe(200);
      const told = encodeConversation(failingToolConversation(WORD), {
        ...{ dialect: 'genai', startMs: Date.now(), idSeed: WORD },
      });
      expect(await call('/v1/traces', toOtlpJson(told))).toBe(200);
      await someStepCame('gateway', 'telemetry-ingest', 'telemetry-warehouse');
      const run = { conversationId: WORD, lastActivityAt: Date.now() + 86_400_000 };
      await eventually(async () => expect(await call(`${diagnostics}/analysis-runs`, run)).toBe(202), SETTLED);
      // Through the outbox and a queue to a worker, and back with the result through another queue.
      await someStepCame('gateway', 'diagnostics-svc', 'jobs-worker');
      await someStepCame('gateway', 'diagnostics-svc', 'jobs-worker', 'diagnostics-svc');
      expect(await call(`${diagnostics}/findings/discover`, {})).toBe(200);
      await someStepCame('gateway', 'diagnostics-svc', 'telemetry-warehouse');
    });
    expect(Buffer.concat(collector.received).includes(WORD)).toBe(false);
  },
  STACK_TIMEOUT_MS,
);
