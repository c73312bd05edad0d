import { describe, expect, it } from '@jest/globals';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { AppError } from '@clew/kernel';
import { processorTimeMs } from '@clew/testing';
import { memoryBody } from '../../body/body.ts';
import { decode, DECODERS, withSpooled, type Decoded } from '../../test-support/decoding.ts';
import { exportedSpans } from '../../test-support/exported-spans.ts';
import { message, requestOf, spanMessage, type WireField } from '../../test-support/protobuf.ts';
import { readableSpan } from '../../test-support/readable-spans.ts';
import { LOGS, TRACES, type Signal } from '../signals.ts';
import { countDataPoints } from './count-data-points.ts';

/**
 * Decodes, or returns the code of the refusal. Any error other than a 4xx, or a refusal that left something behind,
 * fails the test.
 */
async function outcomeOf(bytes: Uint8Array, signal: Signal = TRACES): Promise<Decoded | string> {
  try {
    return await decode(DECODERS.protobuf, bytes, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.code;
  }
}

const wireField: fc.Arbitrary<WireField> = fc.letrec<{ field: WireField }>((tie) => ({
  field: fc.tuple(
    fc.integer({ min: 1, max: 16 }),
    fc.oneof(
      { maxDepth: 6 },
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((fixed64) => ({ fixed64 })),
      fc.uint8Array({ maxLength: 16 }),
      fc.array(tie('field'), { maxLength: 4 }).map((fields) => message(...fields)),
    ),
  ),
})).field;

describe('bytes that are not an export', () => {
  it('a body that is cut at any byte is refused, and leaves nothing behind', async () => {
    const spans = [readableSpan(1), readableSpan(2, { attributes: { list: [1, 'a', { b: [true] }] } })];
    const body = ProtobufTraceSerializer.serializeRequest(spans)!;
    const whole = await decode(DECODERS.protobuf, body);
    for (let length = 1; length < body.length; length += 1) {
      expect(await outcomeOf(body.subarray(0, length))).toBe('MALFORMED_BODY');
    }
    expect(whole.spans).toHaveLength(2);
  });

  it('random bytes are a 4xx or an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, isTraces) => {
        await outcomeOf(bytes, isTraces ? TRACES : LOGS);
      }),
      { numRuns: 3_000 },
    );
  });

  it('a message of any form, with any field of any type, is a 4xx or an answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wireField, { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (fields, isTraces, isSpan) => {
          const signal = isTraces ? TRACES : LOGS;
          const body = isSpan ? requestOf(spanMessage(...fields)) : message([1, message([2, message(...fields)])]);
          await outcomeOf(body, signal);
          await outcomeOf(message(...fields), signal);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('an export with some bytes changed is a 4xx or an answer', async () => {
    const changes = fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(exportedSpans, changes, async (spans, changed) => {
        const body = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans)!);
        for (const [position, byte] of changed) body[position % body.length] = byte;
        const outcome = await outcomeOf(body);
        const fromFile = await withSpooled(body, (spooled) =>
          decode(DECODERS.protobuf, spooled).catch((error: unknown) => (error as AppError).code),
        );
        expect(fromFile).toEqual(outcome);
      }),
      { numRuns: 250 },
    );
  });

  it('metrics of random bytes are a 4xx or a count', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
        const count = await countDataPoints(memoryBody(Buffer.from(bytes))).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'MALFORMED_BODY' });
          return 0;
        });
        expect(count).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('bodies made to take long', () => {
  const MIB = 1024 * 1024;
  /** Time limit far above the normal duration, which is well under a second, and far below that of a blow-up. */
  const MAX_MS = 8_000;
  it.each<[string, () => Buffer, string]>([
    ['empty resources without end', () => filledWith(message([1, '']), 2 * MIB + 100), 'PAYLOAD_TOO_LARGE'],
    ['empty spans without end', () => message([1, message([2, filledWith(message([2, '']), MIB)])]), 'answer'],
    ['one attribute without end', () => requestOf(spanMessage([9, message([1, Buffer.alloc(3 * MIB)])])), 'answer'],
    ['a varint without end', () => Buffer.alloc(4 * MIB, 0xff), 'MALFORMED_BODY'],
    ['messages in messages without end', () => nestedMessages(3_000), 'answer'],
    ['scopes without end', () => message([1, filledWith(message([2, '']), MIB)]), 'answer'],
  ])('%s', async (_name, body, expected) => {
    const bytes = body();
    const beforeMs = processorTimeMs();
    const outcome = await outcomeOf(bytes);
    expect(processorTimeMs() - beforeMs).toBeLessThan(MAX_MS);
    expect(typeof outcome === 'string' ? outcome : 'answer').toBe(expected);
  });
});

function filledWith(piece: Buffer, bytes: number): Buffer {
  return Buffer.alloc(bytes - (bytes % piece.length), piece);
}

/** Attribute with nested lists; each level is two messages. */
function nestedMessages(levels: number): Buffer {
  let value: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level += 1) value = message([5, message([1, value])]);
  return requestOf(spanMessage([9, message([1, 'k'], [2, value])]));
}
