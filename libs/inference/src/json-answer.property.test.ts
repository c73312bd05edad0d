import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { checkJsonAnswer } from './json-answer.ts';

const Anything = z.unknown();
const Verdict = z.strictObject({ verdict: z.enum(['yes', 'no']), because: z.string() });
const verdict = fc.record({ verdict: fc.constantFrom('yes' as const, 'no' as const), because: fc.string() });
const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 4 });

describe('the reader of answers', () => {
  it('says what is wrong with any text, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const checked = checkJsonAnswer(text, Verdict);
        if (!checked.ok) expect(checked.problem).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads what was written, bare, fenced and after thoughts', () => {
    const wrapped = fc.record({
      value: verdict,
      before: space,
      after: space,
      how: fc.constantFrom('', 'json', 'think'),
    });
    fc.assert(
      fc.property(wrapped, ({ value, before, after, how }) => {
        const json = JSON.stringify(value);
        const text = {
          '': json,
          json: `\`\`\`json\n${json}\n\`\`\``,
          think: `<think>Is it {"verdict": "no"}?</think>${json}`,
        }[how as '' | 'json' | 'think'];
        expect(checkJsonAnswer(`${before}${text}${after}`, Verdict)).toEqual({ ok: true, value });
      }),
    );
  });

  it('takes no answer that was cut off anywhere', () => {
    const cut = verdict.chain((value) => {
      const json = JSON.stringify(value);
      return fc.nat({ max: json.length - 1 }).map((length) => json.slice(0, length));
    });
    fc.assert(fc.property(cut, (text) => expect(checkJsonAnswer(text, Verdict).ok).toBe(false)));
  });

  it('takes nothing out of a text around it', () => {
    const words = fc
      .string({ unit: fc.constantFrom('a', 'B', ' ', ',', '.', ':'), minLength: 1 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(verdict, words, fc.boolean(), (value, text, isBefore) => {
        const json = JSON.stringify(value);
        expect(checkJsonAnswer(isBefore ? `${text}${json}` : `${json}${text}`, Verdict).ok).toBe(false);
      }),
    );
  });

  it.each([
    ['a member twice', '{"verdict":"yes","because":"a","because":"b"}'],
    ['a member twice, one of them escaped', '{"verdict":"yes","because":"a","\\u0062ecause":"b"}'],
    ['an unknown member', '{"verdict":"yes","because":"a","confidence":1}'],
    ['too many levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['two values', '{"verdict":"yes","because":"a"}{"verdict":"no","because":"b"}'],
  ])('does not take %s', (_name, text) => {
    expect(checkJsonAnswer(text, Verdict).ok).toBe(false);
  });

  it('gives nothing a prototype that it was not given', () => {
    const checked = checkJsonAnswer('{"__proto__":{"polluted":true}}', Anything);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    if (checked.ok) expect(Object.getPrototypeOf(checked.value)).toBe(Object.prototype);
  });
});
