import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsePythonLiteral } from './python-literal.ts';

describe('a Python literal', () => {
  it.each([
    ["{'q': 'a', 'all': True, 'none': None}", { q: 'a', all: true, none: null }],
    ["[1, -2.5, 1e3, (3, 'x'), []]", [1, -2.5, 1_000, [3, 'x'], []]],
    [`"it's"`, "it's"],
    [String.raw`'tab\t quote\' hex\x41 \u00e4 \U0001F600 \\'`, "tab\t quote' hexA ä 😀 \\"],
    ["{1: 'one', 'two': {'three': 3,},}", { 1: 'one', two: { three: 3 } }],
  ])('%s is read', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  it.each(['', 'hello', "{'a'", "['a' 'b']", "'open", '{[1]: 2}', '[1] trailing', "'\\x4'", '['.repeat(10_000)])(
    '%j is not one',
    (text) => {
      expect(parsePythonLiteral(text)).toBeUndefined();
    },
  );

  it('that is also JSON, without true, false and null, has the same value', () => {
    const jsonValue = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(jsonValue, (value) => expect(parsePythonLiteral(JSON.stringify(value))).toEqual(value)),
      { numRuns: 200 },
    );
  });
});
