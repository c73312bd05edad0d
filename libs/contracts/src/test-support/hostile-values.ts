import fc from 'fast-check';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = Readonly<Record<string, JsonSchema>>;

const ODD_URLS = [
  ...['http://', 'http://[', 'http:', 'https://a b', 'http://x:99999', '//host', 'not a url', 'http://\ud800'],
  ...[
    'https://user:pass@host/v1',
    'https://host/v1?x#y',
    ' https://host ',
    'javascript:0',
    'http://a/\u0000',
    'data:,',
  ],
];
const ODD_TEXTS = [
  ...['', ' ', '\u0000', '\ud800', '\udfff\ud800', '\u202e', '\u{10ffff}', '__proto__', 'constructor', 'null', 'NaN'],
  ...['/', '//', 'a/', '/a', 'self/', 'service/', '-0', '1e999', '0x1', '.', '..', '%', '{', '[', '"', '{"a":1,"a":2}'],
  ...['9'.repeat(400), 'x'.repeat(100_000), '\n', '9999-99-99', '0,0,100', '999,999,999', 'a:asc', ':', '=?', '∞'],
];
const ODD_NUMBERS = [
  ...[0, -0, 1, -1, 0.1, 1e-320, 2 ** 53, -(2 ** 53), Number.MAX_SAFE_INTEGER, 8.64e15, 8.64e15 + 1, 1e308],
  ...[Infinity, -Infinity, NaN],
];

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

const ODD_OBJECTS: readonly unknown[] = [
  JSON.parse('{"__proto__":{"admin":true}}'),
  { constructor: null, toString: 1, hasOwnProperty: false, then: {} },
  { length: -1 },
  { type: 'chat', kind: 'manual', value: undefined },
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index])),
  Array.from({ length: 20_000 }, () => null),
  [undefined],
  nested(2_000),
];

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS, ...ODD_URLS), fc.string({ unit: 'binary' }), fc.webUrl());
const oddNumber = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double(), fc.maxSafeInteger());
const oddKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '', 'a.b', '\ud800', 'x'.repeat(2_000)),
  fc.string(),
);
const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(undefined, null, true, false),
  fc.constantFrom(...ODD_OBJECTS),
  fc.jsonValue({ maxDepth: 3 }),
);

/**
 * Generates values that try to break a schema: some have its shape, so that checks deep within it are reached, with odd
 * parts anywhere in it.
 */
export function hostileValues(schema: z.ZodType): fc.Arbitrary<unknown> {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return hostile(described, (described.$defs ?? {}) as Definitions);
}

/** Generates hostile values that come as text: the parameters of a path or a query. */
export function hostileParameters(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: hostileValues(schema) },
    { weight: 1, arbitrary: fc.dictionary(oddKey, oddText) },
  );
}

function hostile(schema: JsonSchema, definitions: Definitions): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: shaped(schema, definitions) }, { weight: 1, arbitrary: odd });
}

function shaped(schema: JsonSchema, definitions: Definitions): fc.Arbitrary<unknown> {
  const within = (part: unknown) => hostile(part as JsonSchema, definitions);
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return within(definitions[$ref.replace('#/$defs/', '')] ?? {});
  const alternatives = anyOf ?? oneOf ?? allOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(within));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return shapedObject(schema, within);
    case 'array':
      return fc.array(within(schema.items ?? {}), { maxLength: 5 });
    case 'string':
      return fc.oneof(textLike(schema.pattern), oddText);
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), oddNumber);
    case 'boolean':
      return fc.boolean();
    default:
      return odd;
  }
}

function shapedObject(
  { properties = {}, additionalProperties }: JsonSchema,
  within: (part: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, part]) => [name, within(part)] as const);
  const further = typeof additionalProperties === 'object' ? within(additionalProperties) : odd;
  const entries = fc.tuple(
    fc.record(Object.fromEntries(known), { requiredKeys: [] }),
    fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.dictionary(oddKey, further) }),
  );
  return entries.map(([given, more]) => ({ ...given, ...more }));
}

/** Generates texts that fit a pattern, as far as fast-check can. */
function textLike(pattern: string | undefined): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string();
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return fc.string();
  }
}
