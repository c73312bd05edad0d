import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prependMember, replaceMembers, topLevelMembers } from './json-members.ts';

const space = fc.constantFrom('', ' ', '\n', '\t ', ' \r\n ');
const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

describe('the members of a JSON text', () => {
  it('are found in any object, however it is written', () => {
    fc.assert(
      fc.property(object, space, fc.constantFrom(0, 1, 4), (value, around, indent) => {
        const text = `${around}${JSON.stringify(value, null, indent)}${around}`;
        const found = topLevelMembers(text).map(({ name, start, end }) => [name, JSON.parse(text.slice(start, end))]);
        expect(found).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });

  it('are replaced alone: the rest of the text stays as it was, byte for byte', () => {
    fc.assert(
      fc.property(object, fc.jsonValue(), (value, replacement) => {
        const text = JSON.stringify({ ...value, model: 'a/b' }, null, 2);
        const replaced = replaceMembers(text, { model: JSON.stringify(replacement) });
        expect(JSON.parse(replaced)).toEqual(JSON.parse(JSON.stringify({ ...value, model: replacement })));
      }),
    );
  });

  it('keep numbers that no JavaScript number holds, and nested members of the same name', () => {
    const text = '{"seed": 12345678901234567890, "model" : "a/b", "metadata":{"model":"x"}, "n":1.0}';
    const replaced = '{"seed": 12345678901234567890, "model" : "b", "metadata":{"model":"x"}, "n":1.0}';
    expect(replaceMembers(text, { model: '"b"' })).toBe(replaced);
  });

  it('are replaced each time where they are given twice, and under an escaped name', () => {
    expect(replaceMembers('{"model":1,"mod\\u0065l":2}', { model: '3' })).toBe('{"model":3,"mod\\u0065l":3}');
  });

  it('take another before them', () => {
    expect(prependMember(' {"a":1}', 'b', '{"c":2}')).toBe(' {"b":{"c":2},"a":1}');
  });
});
