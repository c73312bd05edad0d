import { describe, expect, it } from '@jest/globals';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { AppError } from '@clew/kernel';
import { memoryBody } from '../../body/body.ts';
import { decode, DECODERS, type Decoded } from '../../test-support/decoding.ts';
import { exportedSpans } from '../../test-support/exported-spans.ts';
import { readableSpan } from '../../test-support/readable-spans.ts';
import { LOGS, TRACES, type Signal } from '../signals.ts';
import type { Decode } from '../decode.ts';
import { countDataPointsJson } from './count-data-points.ts';

/**
 * Decodes, or returns the code of the refusal. Any error other than a 4xx, or a refusal that left something behind,
 * fails the test.
 */
async function outcomeOf(decoder: Decode, body: string, signal: Signal = TRACES): Promise<Decoded | string> {
  try {
    return await decode(decoder, Buffer.from(body), signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.code;
  }
}

/** Asserts that a body has the same outcome whether it is parsed at once or read as a stream. */
async function sameOutcome(body: string, signal: Signal = TRACES): Promise<Decoded | string> {
  const outcome = await outcomeOf(DECODERS.json, body, signal);
  expect(await outcomeOf(DECODERS.streamedJson, body, signal)).toEqual(outcome);
  return outcome;
}

/** Any JSON; some of it has the keys and values that the decoder looks for. */
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 9, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', 'gen_ai.choice', 'a1'.repeat(16), 'b2'.repeat(8), '5'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...['resourceSpans', 'scopeSpans', 'spans', 'resourceLogs', 'scopeLogs', 'logRecords', 'resource', 'scope'],
        ...['name', 'attributes', 'events', 'status', 'key', 'value', 'traceId', 'spanId', 'startTimeUnixNano'],
        ...['stringValue', 'intValue', 'arrayValue', 'kvlistValue', 'values', 'eventName', 'body', 'message', 'kind'],
      ),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value;

/** Replaces one of the values in a request with any JSON. */
function withOneReplaced(request: string, place: number, replacement: unknown): string {
  let count = 0;
  JSON.parse(request, () => {
    count += 1;
  });
  let index = 0;
  const changed: unknown = JSON.parse(request, (_key, value: unknown) =>
    index++ === place % count ? replacement : value,
  );
  return JSON.stringify(changed);
}

describe('JSON that is not an export', () => {
  it('a body that is cut anywhere is refused, and leaves nothing behind', async () => {
    const spans = [readableSpan(1, { attributes: { list: [1.5, 'a"\\é', { b: [true, null] }] } })];
    const body = Buffer.from(JsonTraceSerializer.serializeRequest(spans)!).toString();
    for (let length = 0; length < body.length; length += 1) {
      expect(await sameOutcome(body.slice(0, length))).toBe('MALFORMED_BODY');
    }
  });

  it('JSON of any form is a 4xx or an answer, the same at once and as a stream', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, fc.boolean(), async (value, isTraces) => {
        await sameOutcome(JSON.stringify(value), isTraces ? TRACES : LOGS);
      }),
      { numRuns: 1_500 },
    );
  });

  it('an export with any value replaced is a 4xx or an answer, the same at once and as a stream', async () => {
    await fc.assert(
      fc.asyncProperty(exportedSpans, fc.nat(1_000), anyJson, async (spans, place, replacement) => {
        const request = Buffer.from(JsonTraceSerializer.serializeRequest(spans)!).toString();
        await sameOutcome(withOneReplaced(request, place, replacement));
      }),
      { numRuns: 400 },
    );
  });

  it('any text is a 4xx or an answer, the same at once and as a stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0eE+-.truefalsn \n\u0000é') }),
        async (text) => void (await sameOutcome(text)),
      ),
      { numRuns: 3_000 },
    );
  });

  it('metrics of any form are a 4xx or a count', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, async (value) => {
        const body = memoryBody(Buffer.from(JSON.stringify({ resourceMetrics: value })));
        const count = await countDataPointsJson(body).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'MALFORMED_BODY' });
          return 0;
        });
        expect(count).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('bodies made to take long', () => {
  const SIZE = 4_000_000;
  /** Time limit far above the normal duration, and far below that of a blow-up. */
  const MAX_MS = 10_000;

  it.each([
    ['empty objects', () => `{"resourceSpans":[${'{},'.repeat(SIZE / 3)}{}]}`, 'PAYLOAD_TOO_LARGE'],
    ['one number', () => `{"a":${'1'.repeat(SIZE)}}`, 'answer'],
    ['one text of backslashes', () => `{"a":"${'\\\\'.repeat(SIZE / 2)}"}`, 'answer'],
    ['a text that never ends', () => `{"a":"${'\\"'.repeat(SIZE / 2)}`, 'MALFORMED_BODY'],
    ['spaces', () => `{${' '.repeat(SIZE)}}`, 'answer'],
    ['keys', () => `{${Array.from({ length: SIZE / 10 }, (_, key) => `"${key}":0`).join(',')}}`, 'answer'],
    ['brackets', () => '['.repeat(SIZE), 'MALFORMED_BODY'],
  ])('%s without end', async (_name, body, expected) => {
    const text = body();
    for (const decoder of [DECODERS.json, DECODERS.streamedJson]) {
      const startedAtMs = performance.now();
      const outcome = await outcomeOf(decoder, text);
      expect(performance.now() - startedAtMs).toBeLessThan(MAX_MS);
      expect(typeof outcome === 'string' ? outcome : 'answer').toBe(expected);
    }
  });
});
