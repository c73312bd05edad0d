import { describe, expect, it } from '@jest/globals';
import { decode, DECODERS, type Decoded } from '../../test-support/decoding.ts';
import { SPAN_ID, TRACE_ID } from '../../test-support/protobuf.ts';
import { MAX_ATTRIBUTE_DEPTH, MAX_NAME_LENGTH, MAX_OTLP_JSON_DEPTH, MAX_RECORD_VALUES } from '../../records/limits.ts';
import { LOGS, TRACES, type Signal } from '../signals.ts';

const SPAN = { traceId: TRACE_ID, spanId: SPAN_ID, name: 'chat', startTimeUnixNano: '1760000000123456789' };

function requestOf(...spans: unknown[]): object {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

/** Decodes a body both at once and as a stream, as for large bodies, and asserts equal results. */
async function decodeBoth(body: unknown, signal: Signal = TRACES): Promise<Decoded> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const decoded = await decode(DECODERS.json, bytes, signal);
  expect(await decode(DECODERS.streamedJson, bytes, signal)).toEqual(decoded);
  return decoded;
}

async function expectMalformed(body: string | Buffer): Promise<void> {
  for (const decoder of [DECODERS.json, DECODERS.streamedJson]) {
    await expect(decode(decoder, Buffer.from(body as string))).rejects.toMatchObject({ code: 'MALFORMED_BODY' });
  }
}

async function spanOf(changes: object) {
  const { spans, reasons } = await decodeBoth(requestOf({ ...SPAN, ...changes }));
  return spans[0]?.record ?? reasons;
}

describe('ids', () => {
  it.each([
    ['hex', TRACE_ID, SPAN_ID],
    ['hex in capitals', TRACE_ID.toUpperCase(), SPAN_ID.toUpperCase()],
    ['base64', Buffer.from(TRACE_ID, 'hex').toString('base64'), Buffer.from(SPAN_ID, 'hex').toString('base64')],
    [
      'base64url',
      Buffer.from(TRACE_ID, 'hex').toString('base64url'),
      Buffer.from(SPAN_ID, 'hex').toString('base64url'),
    ],
  ])('in %s are the same ids', async (_name, traceId, spanId) => {
    const record = await spanOf({ traceId, spanId, parentSpanId: spanId });
    expect(record).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID, parentSpanId: SPAN_ID });
  });

  it.each([
    ['traceId', '', 'traceId is not valid'],
    ['traceId', 'a'.repeat(31), 'traceId is not valid'],
    ['traceId', 'g'.repeat(32), 'traceId is not valid'],
    ['traceId', '0'.repeat(32), 'traceId is not valid'],
    ['traceId', 'A'.repeat(22), 'traceId is not valid'],
    ['traceId', 7, 'traceId is not a text'],
    ['spanId', 'b'.repeat(17), 'spanId is not valid'],
    ['spanId', '0'.repeat(16), 'spanId is not valid'],
    ['spanId', undefined, 'spanId is not valid'],
    ['parentSpanId', 'no id', 'parentSpanId is not valid'],
  ])('%s %j is refused', async (field, value, reason) => {
    expect(await spanOf({ [field]: value })).toBe(reason);
  });

  it.each(['', '0'.repeat(16), 'AAAAAAAAAAA=', null])('a parent written as %j is none', async (parentSpanId) => {
    expect(await spanOf({ parentSpanId })).not.toHaveProperty('parentSpanId');
  });
});

describe('numbers', () => {
  it.each([
    ['1760000000123456789', '1760000000123456789'],
    ['0001', '1'],
    [1_000, '1000'],
    ['18446744073709551615', '18446744073709551615'],
  ])('the time %j is kept exactly', async (startTimeUnixNano, expected) => {
    expect(await spanOf({ startTimeUnixNano })).toMatchObject({ startTimeUnixNano: expected });
  });

  it.each(['18446744073709551616', '-1', '1.5', 1.5, -1, '1e3', {}, true])('the time %j is refused', async (time) => {
    expect(await spanOf({ startTimeUnixNano: time })).toBe('startTimeUnixNano is not valid');
  });

  it.each([undefined, null, '0', 0, '000'])('the start %j is missing', async (startTimeUnixNano) => {
    expect(await spanOf({ startTimeUnixNano })).toBe('startTimeUnixNano is missing');
  });

  it.each([
    [3, 3],
    ['SPAN_KIND_CLIENT', 3],
    [null, 0],
    [-1, -1],
  ])('the kind %j is %i', async (kind, expected) => {
    expect(await spanOf({ kind })).toMatchObject({ kind: expected });
  });

  // If stored, such a value would make the warehouse refuse the whole message that holds it.
  it.each([1e300, 2 ** 31, 1.5, '3', 'SPAN_KIND_NEW', {}])('the kind %j is refused', async (kind) => {
    expect(await spanOf({ kind })).toBe('kind is not valid');
  });

  it('a status may be named, too', async () => {
    const status = { code: 'STATUS_CODE_ERROR', message: 'late' };
    expect(await spanOf({ status })).toMatchObject({ statusCode: 2, statusMessage: 'late' });
    expect(await spanOf({ status: { code: 1e300 } })).toBe('status.code is not valid');
  });
});

describe('attribute values', () => {
  const attributeOf = async (value: unknown) => {
    const record = await spanOf({ attributes: [{ key: 'key', value }] });
    return typeof record === 'string' ? record : record.attributes['key'];
  };

  it.each<[object | null, unknown]>([
    [{ stringValue: 'é😀\u2028' }, 'é😀\u2028'],
    [{ stringValue: '' }, ''],
    [{ boolValue: false }, false],
    [{ intValue: '42' }, 42],
    [{ intValue: -42 }, -42],
    [{ intValue: '9007199254740993' }, '9007199254740993'],
    [{ intValue: '-9223372036854775808' }, '-9223372036854775808'],
    [{ intValue: '007' }, 7],
    [{ doubleValue: 0.5 }, 0.5],
    [{ doubleValue: '0.5' }, 0.5],
    [{ doubleValue: 'NaN' }, 'NaN'],
    [{ doubleValue: '-Infinity' }, '-Infinity'],
    [{ arrayValue: { values: [{ intValue: 1 }, { stringValue: 'a' }] } }, [1, 'a']],
    [{ arrayValue: {} }, []],
    [{ kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }] } }, { k: true }],
    [{ bytesValue: 'AP8H' }, 'AP8H'],
    [{ stringValue: null, intValue: 1 }, 1],
    [{ futureValue: 1 }, null],
    [{}, null],
    [null, null],
  ])('%j is %j', async (value, expected) => {
    expect(await attributeOf(value)).toEqual(expected);
  });

  it.each([
    [{ stringValue: 1 }, 'stringValue is not a text'],
    [{ boolValue: 'true' }, 'boolValue is not valid'],
    [{ intValue: 1.5 }, 'intValue is not valid'],
    [{ intValue: 'one' }, 'intValue is not valid'],
    [{ intValue: {} }, 'intValue is not valid'],
    [{ doubleValue: '' }, 'doubleValue is not valid'],
    [{ doubleValue: 'much' }, 'doubleValue is not valid'],
    [{ arrayValue: [1] }, 'arrayValue is not an object'],
    [{ arrayValue: { values: {} } }, 'values is not a list'],
    [{ kvlistValue: { values: [{ key: 1 }] } }, 'attributes.key is not a text'],
    ['text', 'value is not an object'],
  ])('%j makes its span refused', async (value, reason) => {
    expect(await attributeOf(value)).toBe(reason);
  });

  it('nest as deep as may be, and no deeper', async () => {
    const nested = (levels: number): object =>
      levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nested(levels - 1)] } };
    expect(JSON.stringify(await attributeOf(nested(MAX_ATTRIBUTE_DEPTH)))).toContain('"x"');
    expect(await attributeOf(nested(MAX_ATTRIBUTE_DEPTH + 1))).toContain('nests deeper');
  });

  it('are as many as may be, and no more', async () => {
    const list = (count: number) => ({
      arrayValue: { values: Array.from({ length: count }, () => ({ intValue: 1 })) },
    });
    expect(await attributeOf(list(MAX_RECORD_VALUES - 1))).toHaveLength(MAX_RECORD_VALUES - 1);
    expect(await attributeOf(list(MAX_RECORD_VALUES))).toContain('more than');
  });

  it('a key that comes twice has its last value, and one that names a prototype is a key like any other', async () => {
    const pair = (key: string, intValue: number) => ({ key, value: { intValue } });
    expect(await spanOf({ attributes: [pair('a', 1), pair('a', 2)] })).toMatchObject({ attributes: { a: 2 } });
    await spanOf({ attributes: [{ key: '__proto__', value: { kvlistValue: { values: [pair('polluted', 1)] } } }] });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('the form of a request', () => {
  it('unknown fields are ignored wherever they stand', async () => {
    const unknown = { added: { later: [1, 'x', null, { deep: true }] }, also: 1 };
    const span = { ...unknown, ...SPAN, attributes: [{ ...unknown, key: 'k', value: { ...unknown, intValue: 1 } }] };
    const scopeSpans = [{ ...unknown, scope: { ...unknown, name: 'scope' }, spans: [span], schemaUrl: 'x' }];
    const resource = { ...unknown, attributes: [{ key: 'r', value: { intValue: 1 } }] };
    expect((await decodeBoth({ ...unknown, resourceSpans: [{ resource, scopeSpans }] })).spans).toMatchObject([
      { resource: { r: 1 }, scopeName: 'scope', record: { attributes: { k: 1 } } },
    ]);
  });

  it('the resource and the scope may stand behind what they are for', async () => {
    const late = { attributes: [{ key: 'late', value: { boolValue: true } }] };
    const scopeSpans = [{ spans: [SPAN], scope: { name: 'late scope' } }];
    const decoded = await decodeBoth({
      resourceSpans: [
        { scopeSpans, resource: late },
        { resource: {}, scopeSpans: [{ spans: [SPAN] }] },
      ],
    });
    expect(decoded.spans).toMatchObject([
      { resource: { late: true }, scopeName: 'late scope' },
      { resource: {}, scopeName: '' },
    ]);
  });

  it.each([{}, { resourceSpans: null }, { resourceSpans: [] }, { resourceSpans: [{ scopeSpans: null }] }])(
    '%j holds no spans',
    async (body) => {
      expect(await decodeBoth(body)).toMatchObject({ spans: [], rejectedCount: 0 });
    },
  );

  it.each([
    '',
    'null',
    '[]',
    '7',
    '"text"',
    '{"resourceSpans": [}',
    '{"resourceSpans": []} {}',
    '{"resourceSpans": {}}',
    '{"resourceSpans": [1]}',
    '{"resourceSpans": [null]}',
    '{"resourceSpans": [{"scopeSpans": [[]]}]}',
    '{"resourceSpans": [{"scopeSpans": [{"spans": [null]}]}]}',
    '{"resourceSpans": [{"scopeSpans": [{"spans": ["span"]}]}]}',
    '{"resourceSpans": [{"scopeSpans": [{"spans": true}]}]}',
  ])('%s is malformed', expectMalformed);

  it.each([
    ['a depth of 1,000', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['one level too many', `{"a":${'['.repeat(MAX_OTLP_JSON_DEPTH)}${']'.repeat(MAX_OTLP_JSON_DEPTH)}}`],
    ['brackets alone', '['.repeat(1_000_000)],
  ])('%s is malformed', async (_name, body) => await expectMalformed(body));

  it('text that is no UTF-8 is malformed', async () => {
    await expectMalformed(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]));
  });

  it('what is wrong in a resource is left out of it, and costs no span', async () => {
    const attributes = [
      { key: 'good', value: { intValue: 1 } },
      { key: 'bad', value: { intValue: 'x' } },
      { key: 'large', value: { stringValue: 'x'.repeat(70_000) } },
    ];
    const decoded = await decodeBoth({
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [SPAN] }] }],
    });
    expect(decoded).toMatchObject({ rejectedCount: 0, spans: [{ resource: { good: 1 } }] });
    expect(decoded.reasons).toContain('an attribute of a resource was left out: intValue is not valid');
    expect(decoded.reasons).toContain('beyond 65536 bytes');
  });

  it('spans that are not valid are refused with their reasons, and the others are taken', async () => {
    const spans = [SPAN, { ...SPAN, spanId: 'x' }, { ...SPAN, spanId: 'x' }, { ...SPAN, name: 1 }];
    const decoded = await decodeBoth(requestOf(...spans));
    expect(decoded).toMatchObject({ rejectedCount: 3, reasons: 'spanId is not valid; name is not a text' });
    expect(decoded.spans).toHaveLength(1);
  });

  it('a name is cut, and an end that is missing is the start', async () => {
    expect(await spanOf({ name: 'x'.repeat(2 * MAX_NAME_LENGTH) })).toMatchObject({
      name: 'x'.repeat(MAX_NAME_LENGTH),
      endTimeUnixNano: SPAN.startTimeUnixNano,
    });
  });
});

describe('log records', () => {
  const requestOfLogs = (...logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const event = { traceId: TRACE_ID, spanId: SPAN_ID, timeUnixNano: '5', body: { stringValue: 'said' } };
  const named = (name: string) => [{ key: 'event.name', value: { stringValue: name } }];

  it('GenAI events of a span are taken, named by the field or, as before, by the attribute', async () => {
    const { logs } = await decodeBoth(
      requestOfLogs(
        { ...event, eventName: 'gen_ai.choice' },
        { ...event, attributes: named('gen_ai.user.message'), timeUnixNano: '0', observedTimeUnixNano: '9' },
      ),
      LOGS,
    );
    expect(logs.map(({ record }) => record)).toMatchObject([
      { eventName: 'gen_ai.choice', body: 'said', timeUnixNano: '5' },
      { eventName: 'gen_ai.user.message', timeUnixNano: '9' },
    ]);
  });

  it.each([
    [{ ...event, eventName: 'http.request' }, 'only GenAI events are stored'],
    [event, 'only GenAI events are stored'],
    [{ ...event, eventName: 'gen_ai.choice', traceId: '' }, 'traceId is not valid'],
    [{ ...event, eventName: 'gen_ai.choice', spanId: '' }, 'the event names no span'],
  ])('%j is refused with its reason', async (record, reason) => {
    const decoded = await decodeBoth(requestOfLogs(record), LOGS);
    expect(decoded).toMatchObject({ logs: [], rejectedCount: 1, reasons: reason });
  });
});
