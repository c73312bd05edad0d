import { describe, expect, it } from '@jest/globals';
import { secretsIn } from '@clew/privacy';
import fc from 'fast-check';
import { issueBody } from '../body/issue-body.ts';
import { findingFacts } from '../test-support/finding-facts.ts';
import { hostileText } from '../test-support/hostile-text.ts';
import { textsOf, toAdf } from './adf.ts';
import { cleaned, cleanedLine } from './clean.ts';
import { toMarkdown } from './markdown.ts';
import { issueTitle } from './title.ts';

const SECRET_FORMS = [
  /^ghp_[A-Za-z0-9]{36}$/,
  /^glpat-[A-Za-z0-9]{20}$/,
  /^AKIA[0-9A-Z]{16}$/,
  /^sk-live-[A-Za-z0-9]{24}$/,
];
const secret = fc
  .oneof(...SECRET_FORMS.map((form) => fc.stringMatching(form)))
  .filter((text) => secretsIn(text).length === 1);
const INVISIBLE = ['', '\u200b', '\u2060', '\u00ad', '\u202e', '\u0000', '\u200d', '\u{e0020}'];

/** Tells whether a text holds a part of a secret, beneath the characters that the renderers add. */
function holds(text: string, found: string): boolean {
  const plain = text.replace(/[\u200b\\]/g, '');
  return Array.from({ length: found.length - 11 }, (_, start) => found.slice(start, start + 12)).some((part) =>
    plain.includes(part),
  );
}

describe('secrets in the words of a conversation', () => {
  it('are in no title, Markdown or document, also where invisible characters hide them', () => {
    const cases = fc.record({ secret, hidden: fc.constantFrom(...INVISIBLE), before: hostileText, after: hostileText });
    fc.assert(
      fc.property(cases, ({ secret: found, hidden, before, after }) => {
        const text = `${before} ${found.slice(0, 9)}${hidden}${found.slice(9)} ${after}`;
        const { evidence } = findingFacts();
        const location = { ...evidence[0]!.location, quotes: [{ quote: text }] };
        const item = { ...evidence[0]!, title: text, summary: text, location };
        const facts = findingFacts({
          title: text,
          summary: text,
          causeAssessment: text,
          remediationHint: text,
          evidence: [item],
        });
        const body = issueBody(facts);
        expect(holds(toMarkdown(body), found)).toBe(false);
        expect(holds(textsOf(toAdf(body)).join('\n'), found)).toBe(false);
        expect(holds(issueTitle(text), found)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('are masked however many there are, and where the text is cut', () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 400 }), fc.nat(16_500), (secrets, fill) => {
        const text = `${'-'.repeat(fill)} ${secrets.join(' ')}`;
        const shown = cleaned(text, 16_000);
        expect(secrets.filter((found) => holds(shown, found))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('are not shown in half, where masks make the text before the cut short', () => {
    const key = `-----BEGIN PRIVATE KEY-----${'QUJD'.repeat(1_990)}`;
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    for (let fill = 15; fill < 45; fill += 1) {
      const text = `${key}. ${key}. `.padEnd(16_000 - fill, '-') + token;
      expect(cleaned(text, 600)).not.toContain('ghp_');
    }
  });

  it('are named by their kind', () => {
    const [token, form] = ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'The key [token removed] works'];
    expect(cleanedLine(`The key ${token} works`, 100)).toBe(form);
  });
});

describe('text that people see', () => {
  it('has no control characters and nothing invisible, except what letters and emoji need', () => {
    fc.assert(
      fc.property(hostileText, fc.string({ unit: 'binary' }), (one, other) => {
        const shown = cleaned(one + other, 500);
        expect(shown).not.toMatch(
          /[\p{Cc}--[\t\n]]|[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/v,
        );
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it.each(['👨‍👩‍👧 family', 'می‌خواهم', 'Straße, naïve, 日本語'])('keeps %s', (text) => {
    expect(cleaned(text, 100)).toBe(text);
  });
});
