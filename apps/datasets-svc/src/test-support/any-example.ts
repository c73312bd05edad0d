import fc from 'fast-check';
import type { NewExample } from '@clew/contracts';
import { parseStrictly } from '@clew/kernel';

/** Texts with which files have trouble, without NUL and lone surrogates, which a CSV cannot hold. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    ' ',
    '=1+1',
    "'=x",
    "''",
    '-',
    '@a',
    '"',
    '""',
    ',',
    '\r\n',
    '\r',
    '\n',
    '\t',
    ';',
    '\ufeff',
    'null',
    '[1]',
  ),
);
const someText = text.filter((value) => value.length > 0);
const reference = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => 'value' in parseStrictly(JSON.stringify(value), { maxDepth: 3 }));

const content = fc.oneof(
  text,
  fc.array(fc.record({ type: fc.constant('text'), text }), { minLength: 1, maxLength: 2 }),
);
const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content });
const answer = fc.record({ role: fc.constant('assistant'), content });

const input = fc.oneof(
  record(
    { type: 'chat' },
    { messages: fc.array(message, { minLength: 1, maxLength: 3 }) },
    { tools: fc.array(fc.dictionary(reference, json)), parallelToolCalls: fc.boolean() },
  ),
  record({ type: 'prompt' }, { prompt: someText }, { system: text }),
  record({ type: 'instruction' }, { instruction: someText }, { context: text }),
  record({ type: 'text' }, { text }, {}),
  record({ type: 'json' }, { value: json }, {}),
);

const output = fc.oneof(
  record({ type: 'chat_message' }, { message: answer }, {}),
  record({ type: 'text' }, { text }, {}),
  record({ type: 'json' }, { value: json }, {}),
  record({ type: 'classification' }, { label: someText }, {}),
);

const rubric = record(
  {},
  { criteria: fc.constantFrom('be right', ['be right', 'be kind']) },
  { scoring: fc.array(record({}, { label: someText, score: fc.integer() }, { description: text }), { maxLength: 2 }) },
);

const source = fc.oneof(
  record({ kind: 'manual' }, { externalRef: reference }, { derivationKey: reference }),
  record(
    { kind: 'synthetic' },
    { traceIds: fc.array(reference, { minLength: 1, maxLength: 3 }) },
    { externalRef: reference },
  ),
  record({ kind: 'conversation' }, { conversationId: reference, traceIds: fc.constant(['t1']) }, {}),
  record({ kind: 'import' }, { externalRef: reference }, { conversationId: reference }),
);

const tag = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
  .filter((value) => value.trim() !== '' && !value.includes('\0'));

/** Arbitrary Example of any kind that its schema allows. */
export function anyExample(): fc.Arbitrary<NewExample> {
  return record(
    {},
    {
      source,
      tags: fc.uniqueArray(tag, { maxLength: 3 }),
      payload: record({}, { input }, { expectedOutput: output, rejectedOutput: output, rubric }),
    },
    {},
  ) as fc.Arbitrary<NewExample>;
}

function record(
  constants: object,
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> {
  const names = Object.keys(required);
  return fc
    .record({ ...required, ...optional }, { requiredKeys: names })
    .map((members) => ({ ...constants, ...(members as object) }));
}
