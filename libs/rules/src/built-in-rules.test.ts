import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Detection, type ConversationSnapshot } from '@clew/contracts';
import { derivedId, idPattern } from '@clew/kernel';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hostileRuns, slowTexts } from '@clew/testing/hostile';
import {
  assistant,
  called,
  calls,
  conversation,
  detect,
  repeated,
  user,
  type ScriptedMessage,
} from './test-support/conversation.ts';
import { HOSTILE_LIMIT_MS } from './test-support/hostile.ts';
import { BUILT_IN_RULES } from './built-in-rules.ts';

const everything = { minSignalScore: 0, minDiagnosticConfidence: 0 };

function detectAll(snapshot: ConversationSnapshot): Detection[] {
  return BUILT_IN_RULES.flatMap((rule) => detect(rule, snapshot, { ...everything, keywords: ['ticket'] }));
}

describe('every built-in Rule', () => {
  it.each(BUILT_IN_RULES.map((rule) => [rule.ruleKey, rule] as const))(
    '%s: stable ids and sound weights',
    (_, rule) => {
      expect(rule.ruleKey).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(rule.ruleId).toMatch(idPattern('rule'));
      // The id was once derived from the key; it must stay the same when the key is renamed.
      expect(rule.ruleId.replace('rule_', 'drv_')).toBe(derivedId('drv', 'built-in-rule', rule.ruleKey));
      expect(new Set(rule.signals.map((signal) => signal.name)).size).toBe(rule.signals.length);
      for (const signal of rule.signals) {
        expect(signal.name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
        expect(signal.weight).toBeGreaterThan(0);
        expect(signal.weight).toBeLessThan(1);
      }
      const blatant = Math.max(...rule.signals.map((signal) => signal.weight));
      expect(blatant).toBeGreaterThanOrEqual(rule.defaultConfiguration.minSignalScore);
      expect(blatant).toBeGreaterThanOrEqual(rule.defaultConfiguration.minDiagnosticConfidence);
    },
  );

  it('has its own id and key', () => {
    expect(new Set(BUILT_IN_RULES.map((rule) => rule.ruleId)).size).toBe(BUILT_IN_RULES.length);
    expect(new Set(BUILT_IN_RULES.map((rule) => rule.ruleKey)).size).toBe(BUILT_IN_RULES.length);
  });

  it('stands in the README as it is in the code', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const withoutPadding = (row: string): string => row.replace(/ +/g, ' ');
    const rows = readme
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map(withoutPadding);
    expect(rows).toEqual(
      BUILT_IN_RULES.flatMap((rule) => [
        `| \`${rule.ruleKey}\` | ${rule.name} | \`${rule.ruleId}\` | \`${rule.categoryKey}\` | ${rule.description} | ${rule.keywordsMeaning ?? 'none'} |`,
        ...rule.signals.map(
          (signal) => `| \`${signal.name}\` | ${signal.defaultSeverity} | ${signal.weight} | ${signal.description} |`,
        ),
      ]),
    );
    const { minSignalScore, minDiagnosticConfidence, adjudicationMode } = BUILT_IN_RULES[0]?.defaultConfiguration ?? {};
    expect(readme).toContain(`\`minSignalScore: ${minSignalScore}\``);
    expect(readme).toContain(`\`minDiagnosticConfidence: ${minDiagnosticConfidence}\``);
    expect(readme).toContain(`\`adjudicationMode: ${adjudicationMode}\``);
  });
});

const phrases = fc.constantFrom(
  'What is your order number?',
  '12345',
  "That's wrong.",
  'I already told you.',
  'Done! It has been updated.',
  'Sorry, I could not do that.',
  'Error: order 17 is locked',
  '{"error":"timed out \\"twice\\""}',
  'Traceback (most recent call last):\nValueError: 😀',
  'ticket 😀😀',
  '',
  ' \n ',
);
const text = fc.oneof(
  phrases,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(phrases, { maxLength: 12 }).map((list) => list.join(' ')),
);
const message: fc.Arbitrary<ScriptedMessage[]> = fc.oneof(
  text.map((content) => [user(content)]),
  fc
    .tuple(text, fc.constantFrom('stop', 'length', 'content_filter', ''))
    .map(([content, finishReason]) => [assistant(content, { finishReason })]),
  fc
    .tuple(fc.constantFrom('get_a', 'update_b'), fc.jsonValue(), text)
    .map(([tool, args, result]) => called(tool, args, result)),
  fc.constantFrom('get_a', 'update_b').map((name) => [calls({ id: 'x', name, arguments: {} })]),
  text.map((content) => [{ role: 'tool' as const, toolCallId: 'x', content, error: { type: 'e', message: content } }]),
);

describe('on any conversation', () => {
  it('a Detection follows its contract, and each quote is an exact substring of the message that it names', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 25 }), (script) => {
        const snapshot = conversation(script);
        for (const detection of detectAll(snapshot)) {
          expect(Detection.safeParse(detection)).toMatchObject({ success: true });
          for (const location of [detection.anchor, ...detection.evidence.map((evidence) => evidence.location)]) {
            const named = snapshot.messages[location.stepIndex];
            expect([location.traceId, location.spanId]).toEqual([named?.traceId, named?.spanId]);
            for (const { quote, messageIndex, field, startChar, endChar } of location.quotes) {
              expect(quote.trim()).not.toBe('');
              expect([messageIndex, field]).toEqual([location.stepIndex, 'content']);
              expect(named?.content.slice(startChar, endChar)).toBe(quote);
            }
          }
          const refs = detection.evidence.map((evidence) => evidence.ref);
          expect(new Set(refs).size).toBe(refs.length);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('the same conversation gives the same Detections', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 15 }), (script) => {
        expect(detectAll(conversation(script))).toEqual(detectAll(conversation(script)));
      }),
      { numRuns: 50 },
    );
  });

  it('that is empty or holds only a system message, nothing is found', () => {
    expect(detectAll(conversation([]))).toEqual([]);
    expect(detectAll(conversation([{ role: 'system', content: 'That is wrong. Error: x' }]))).toEqual([]);
  });
});

describe('on a hostile conversation', () => {
  const within = (snapshot: ConversationSnapshot): void => {
    const startedAt = performance.now();
    detectAll(snapshot);
    expect(performance.now() - startedAt).toBeLessThan(HOSTILE_LIMIT_MS);
  };

  it.each<readonly [string, () => ScriptedMessage[]]>([
    [
      'short turns',
      () =>
        repeated(2500, (n) => [
          user(`What is ${n}?`),
          ...called('get', { n }, `Error: ${n}`),
          assistant('What is your order number?'),
        ]),
    ],
    [
      'one endless turn of failures',
      () => [user('Go'), ...repeated(5000, (n) => called(`tool_${n % 7}`, { n }, `Error: ${n}`))],
    ],
    ['one endless loop', () => [user('Go'), ...repeated(5000, () => called('tool', {}, 'same'))]],
    [
      'many short loops',
      () => [user('Go'), ...repeated(5000, (n) => called('tool', { n: Math.floor(n / 3) }, 'same'))],
    ],
    [
      'the same question over and over',
      () => repeated(5000, () => [user('12345'), assistant('What is your order number?')]),
    ],
    [
      'corrections over and over',
      () => repeated(5000, () => [user("That's wrong."), assistant('You are right, sorry for the mistake.')]),
    ],
    [
      'ten thousand calls at once without ids',
      () => [
        calls(...Array.from({ length: 10_000 }, () => ({ name: 'tool', arguments: {} }))),
        ...Array.from({ length: 10_000 }, (): ScriptedMessage => ({ role: 'tool', name: 'tool', content: 'x' })),
      ],
    ],
  ])('of ten thousand messages: %s', (_, script) => within(conversation(script())));

  it('with arguments too deep for a recursive reader', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    within(conversation([user('Go'), ...repeated(4, () => [calls({ name: 'tool', arguments: deep })])]));
    within(conversation([user('Go'), ...called('tool', {}, `${'['.repeat(30_000)}${']'.repeat(30_000)}`)]));
  });

  it('they take time that is linear in the length of the messages, whatever those hold', () => {
    const evaluate = (content: string) =>
      detectAll(
        conversation([
          user(content),
          assistant(content, { finishReason: '' }),
          ...called('tool', { content }, content),
          assistant(content),
          user(content),
        ]),
      );
    expect(slowTexts(evaluate, hostileRuns(), { length: 5_000, floorMs: 125 })).toEqual([]);
  }, 600_000);
});
