import { describe, expect, it } from '@jest/globals';
import { decode, DECODERS } from '../../test-support/decoding.ts';
import {
  attribute,
  message,
  nested,
  requestOf,
  SPAN_ID,
  spanMessage,
  TRACE_ID,
  type WireField,
} from '../../test-support/protobuf.ts';
import { MAX_ATTRIBUTE_DEPTH, MAX_NAME_LENGTH, MAX_RECORD_BYTES, MAX_RECORD_VALUES } from '../../records/limits.ts';
import { LOGS } from '../signals.ts';

async function attributesOf(...fields: WireField[]): Promise<unknown> {
  const { spans } = await decode(DECODERS.protobuf, requestOf(spanMessage(...fields)));
  return spans[0]?.record.attributes;
}

async function refusalOf(span: Buffer): Promise<string> {
  const decoded = await decode(DECODERS.protobuf, requestOf(span, spanMessage([5, 'the good one'])));
  expect(decoded.spans.map(({ record }) => record.name)).toEqual(['the good one']);
  expect(decoded.rejectedCount).toBe(1);
  return decoded.reasons;
}

describe('attribute values of every kind', () => {
  it.each<[string, WireField[], unknown]>([
    ['a text', [[1, 'é😀"\\\n']], 'é😀"\\\n'],
    ['an empty text', [[1, '']], ''],
    ['true', [[2, 1]], true],
    ['false', [[2, 0]], false],
    ['an integer', [[3, 42]], 42],
    ['a negative integer', [[3, -42]], -42],
    ['the largest integer that a number holds', [[3, Number.MAX_SAFE_INTEGER]], Number.MAX_SAFE_INTEGER],
    ['a larger integer', [[3, 2n ** 53n]], '9007199254740992'],
    ['the largest integer', [[3, 2n ** 63n - 1n]], '9223372036854775807'],
    ['the smallest integer', [[3, -(2n ** 63n)]], '-9223372036854775808'],
    ['a double', [[4, { fixed64: doubleBits(0.1) }]], 0.1],
    ['NaN', [[4, { fixed64: doubleBits(Number.NaN) }]], 'NaN'],
    ['infinity', [[4, { fixed64: doubleBits(-Infinity) }]], '-Infinity'],
    ['a list', [[5, message([1, message([3, 1])], [1, message([1, 'a'])])]], [1, 'a']],
    ['an empty list', [[5, '']], []],
    ['keys and values', [[6, message([1, message([1, 'k'], [2, message([3, 1])])])]], { k: 1 }],
    ['bytes', [[7, Buffer.from([0, 255, 7])]], 'AP8H'],
    ['nothing', [], null],
    [
      'the last of several',
      [
        [1, 'first'],
        [3, 2],
      ],
      2,
    ],
    ['a kind of a later version', [[99, 'unknown']], null],
    ['bytes that are no UTF-8 as a text', [[1, Buffer.from([0x61, 0xff])]], 'a\ufffd'],
  ])('%s', async (_name, anyValue, expected) => {
    expect(await attributesOf(attribute('key', ...anyValue))).toEqual({ key: expected });
  });

  it('a key that comes twice has its last value, and one that names a prototype is a key like any other', async () => {
    expect(await attributesOf(attribute('a', [3, 1]), attribute('a', [3, 2]))).toEqual({ a: 2 });
    const { spans } = await decode(DECODERS.protobuf, requestOf(spanMessage(attribute('__proto__', [1, 'x']))));
    expect(spans).toHaveLength(1);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('what newer senders add', () => {
  it('is skipped in every message, whatever its wire type', async () => {
    const unknown: WireField[] = [
      [200, 5],
      [201, { fixed64: 1n }],
      [202, 'new'],
    ];
    const span = spanMessage(...unknown, [9, message(...unknown, [1, 'key'], [2, message([1, 'kept'], ...unknown)])]);
    const scope = message(...unknown, [1, message([1, 'scope'], ...unknown)], [2, span]);
    const resource = message(...unknown, [1, message([1, 'r'], [2, message([3, 1])])]);
    const body = message(...unknown, [1, message([1, resource], [2, scope], ...unknown)]);
    expect((await decode(DECODERS.protobuf, body)).spans).toMatchObject([
      { resource: { r: 1 }, scopeName: 'scope', record: { attributes: { key: 'kept' } } },
    ]);
  });

  it('the resource and the scope may stand behind what they are for', async () => {
    const scopeGroup = message([2, spanMessage()], [1, message([1, 'late scope'])]);
    const resource = message([1, message([1, 'late'], [2, message([2, 1])])]);
    const { spans } = await decode(DECODERS.protobuf, message([1, message([2, scopeGroup], [1, resource])]));
    expect(spans).toMatchObject([{ resource: { late: true }, scopeName: 'late scope' }]);
  });
});

describe('a span that is not valid is refused with its reason, and the others are taken', () => {
  it.each<[string, WireField, string]>([
    ['a trace id that is too short', [1, Buffer.alloc(15, 1)], 'traceId is not valid'],
    ['a trace id of zeros', [1, Buffer.alloc(16)], 'traceId is not valid'],
    ['a span id that is too long', [2, Buffer.alloc(9, 1)], 'spanId is not valid'],
    ['a span id of zeros', [2, Buffer.alloc(8)], 'spanId is not valid'],
    ['a parent that is no span id', [4, Buffer.alloc(3, 1)], 'parentSpanId is not valid'],
    ['no start', [7, { fixed64: 0n }], 'startTimeUnixNano is missing'],
    ['lists that nest too deep', [9, message([1, 'k'], [2, nested(MAX_ATTRIBUTE_DEPTH + 1, 'array')])], 'nests deeper'],
    [
      'values that nest very deep',
      [9, message([1, 'k'], [2, nested(5_000, 'keyValueList')])],
      `nests deeper than ${MAX_ATTRIBUTE_DEPTH} levels`,
    ],
    ['too many values', [9, message([1, 'k'], [2, manyValues(MAX_RECORD_VALUES)])], 'more than 20000 values'],
    ['more bytes than a record may have', attribute('k', [1, 'x'.repeat(MAX_RECORD_BYTES)]), 'larger than'],
    // Each of these characters takes six times its size as JSON.
    ['more JSON than a record may have', attribute('k', [1, '\u0001'.repeat(MAX_RECORD_BYTES / 4)]), 'larger than'],
  ])('%s', async (_name, field, reason) => {
    expect(await refusalOf(spanMessage(field))).toContain(reason);
  });

  it('at its limits it is taken', async () => {
    const deepest = await attributesOf([9, message([1, 'k'], [2, nested(MAX_ATTRIBUTE_DEPTH, 'keyValueList')])]);
    expect(JSON.stringify(deepest)).toContain('in the middle');
    const widest = await attributesOf([9, message([1, 'k'], [2, manyValues(MAX_RECORD_VALUES - 1)])]);
    expect((widest as { k: unknown[] }).k).toHaveLength(MAX_RECORD_VALUES - 1);
  });

  it('a parent of zeros is none, an end that is missing is the start, and a name is cut', async () => {
    const span = spanMessage([4, Buffer.alloc(8)], [5, 'ñ'.repeat(2 * MAX_NAME_LENGTH)]);
    const { spans } = await decode(DECODERS.protobuf, requestOf(span));
    const record = spans[0]?.record;
    expect(record).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID, endTimeUnixNano: '1760000000123456789' });
    expect(record).not.toHaveProperty('parentSpanId');
    expect(record?.name).toBe('ñ'.repeat(MAX_NAME_LENGTH));
  });

  it('no more than a few different reasons are given, and all are counted', async () => {
    const bad = Array.from({ length: 100 }, () => spanMessage([1, 'short']));
    const decoded = await decode(DECODERS.protobuf, requestOf(...bad, spanMessage([2, 'short'])));
    expect(decoded).toMatchObject({ rejectedCount: 101, reasons: 'traceId is not valid; spanId is not valid' });
  });
});

describe('what is wrong in a resource is left out of it, and costs no span', () => {
  const withResource = (...attributes: Buffer[]) =>
    message([
      1,
      message([1, message(...attributes.map((each): WireField => [1, each]))], [2, message([2, spanMessage()])]),
    ]);

  it('an attribute that nests too deep', async () => {
    const good = message([1, 'good'], [2, message([3, 1])]);
    const deep = message([1, 'deep'], [2, nested(MAX_ATTRIBUTE_DEPTH + 1, 'array')]);
    const decoded = await decode(DECODERS.protobuf, withResource(deep, good));
    expect(decoded).toMatchObject({ rejectedCount: 0, spans: [{ resource: { good: 1 } }] });
    expect(decoded.reasons).toContain('an attribute of a resource was left out');
  });

  it.each([70_000, MAX_RECORD_BYTES])('%i bytes of attributes', async (bytes) => {
    const large = message([1, 'large'], [2, message([1, 'x'.repeat(bytes)])]);
    const decoded = await decode(DECODERS.protobuf, withResource(large));
    expect(decoded).toMatchObject({ rejectedCount: 0, spans: [{ resource: {} }] });
    expect(decoded.reasons).toContain('beyond 65536 bytes');
  });
});

describe('log records', () => {
  const event = (...fields: WireField[]) =>
    message(
      [1, { fixed64: 5n }],
      [5, message([1, 'said'])],
      [9, Buffer.from(TRACE_ID, 'hex')],
      [10, Buffer.from(SPAN_ID, 'hex')],
      ...fields,
    );
  const legacyName = (name: string): WireField => [6, message([1, 'event.name'], [2, message([1, name])])];

  it('GenAI events of a span are taken, named by the field or, as before, by the attribute', async () => {
    const body = requestOf(event([12, 'gen_ai.choice']), event(legacyName('gen_ai.user.message')));
    const { logs } = await decode(DECODERS.protobuf, body, LOGS);
    expect(logs.map(({ record }) => record)).toEqual([
      expect.objectContaining({ eventName: 'gen_ai.choice', body: 'said', timeUnixNano: '5', traceId: TRACE_ID }),
      expect.objectContaining({ eventName: 'gen_ai.user.message', spanId: SPAN_ID }),
    ]);
  });

  it('an event without a time of its own has the time at which it was seen', async () => {
    const body = requestOf(event([12, 'gen_ai.choice'], [1, { fixed64: 0n }], [11, { fixed64: 9n }]));
    expect((await decode(DECODERS.protobuf, body, LOGS)).logs[0]?.record.timeUnixNano).toBe('9');
  });

  it.each<[string, Buffer, string]>([
    ['an ordinary log record', event([12, 'http.request']), 'only GenAI events are stored'],
    ['a record without a name', event(), 'only GenAI events are stored'],
    ['an event of no trace', event([12, 'gen_ai.choice'], [9, '']), 'traceId is not valid'],
    ['an event of no span', event([12, 'gen_ai.choice'], [10, '']), 'the event names no span'],
  ])('%s is refused with its reason', async (_name, record, reason) => {
    const decoded = await decode(DECODERS.protobuf, requestOf(record), LOGS);
    expect(decoded).toMatchObject({ logs: [], rejectedCount: 1, reasons: reason });
  });
});

function doubleBits(value: number): bigint {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.readBigUInt64LE();
}

/** List of `count` empty values. */
function manyValues(count: number): Buffer {
  return message([5, Buffer.concat(Array.from({ length: count }, () => message([1, ''])))]);
}
