import { SpanKind, SpanStatusCode, type Attributes } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { readableSpan } from './readable-spans.ts';

/** Texts with every character that JSON has to escape, and some outside the basic plane. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '€', '😀', '\u2028'),
    maxLength: 6,
  }),
);
/** Excludes `__proto__`: plain assignment of it would change a prototype, in the encoder as well. */
const key = text.filter((name) => name !== '__proto__');

const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((double) => !Number.isInteger(double)),
    fc.constant(null),
    fc.uint8Array({ maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const attributes = fc.dictionary(key, anyValue, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<Attributes>;
const isNoZeroId = (id: string) => /[^0]/.test(id);
const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length }).filter(isNoZeroId);
const time = fc.tuple(fc.integer({ min: 1, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }));

/** Some resources; the encoder groups spans by the identity of their resource object. */
const resources = fc.array(
  attributes.map((each) => resourceFromAttributes(each)),
  { minLength: 1, maxLength: 3 },
);

const span = (ofResources: ReadableSpan['resource'][]) =>
  fc
    .record({
      traceId: hexDigits(32),
      spanId: hexDigits(16),
      parentSpanId: fc.option(hexDigits(16), { nil: undefined }),
      name: text,
      kind: fc.constantFrom(SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER),
      startTime: time,
      endTime: time,
      status: fc.record(
        { code: fc.constantFrom(SpanStatusCode.UNSET, SpanStatusCode.OK, SpanStatusCode.ERROR), message: text },
        { requiredKeys: ['code'] },
      ),
      attributes,
      events: fc.array(fc.record({ name: text, time, attributes, droppedAttributesCount: fc.nat(3) }), {
        maxLength: 3,
      }),
      resource: fc.constantFrom(...ofResources),
      scopeName: text,
    })
    .map(({ parentSpanId, ...changes }) =>
      readableSpan(0, { ...changes, ...(parentSpanId === undefined ? {} : { parentSpanId }) }),
    );

/** Span sets as the official SDK hands them to an exporter: every kind of value, resource and scope. */
export const exportedSpans: fc.Arbitrary<ReadableSpan[]> = resources.chain((ofResources) =>
  fc.array(span(ofResources), { minLength: 1, maxLength: 6 }),
);
