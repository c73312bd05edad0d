import { describe, expect, it } from '@jest/globals';
import type { ConversationMessage, ExpectationCheck } from '@clew/contracts';
import { processorTimeMs } from '@clew/testing';
import { hostileRuns, slowTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { conversation, user, assistant, calls, type ScriptedMessage } from '../test-support/conversation.ts';
import { HOSTILE_LIMIT_MS } from '../test-support/hostile.ts';
import { evaluateExpectation } from './evaluate-expectation.ts';
import { toolMatcher } from './tool-patterns.ts';

const TOOL_NAMES = ['cancel_order', 'get_order', 'pay', 'ask_user', '', '__proto__', 'ünïcode', 'a'.repeat(300)];
const toolName = fc.constantFrom(...TOOL_NAMES);
const WORDS = [
  'Yes',
  'no',
  'Shall I cancel order A-1001?',
  'A-1001',
  'please proceed',
  '\ud800',
  '',
  '?',
  'x'.repeat(400),
];
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary' }), fc.string());

const call = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c'),
    name: toolName,
    arguments: fc.oneof(fc.jsonValue(), text, fc.constant(undefined)),
  },
  { requiredKeys: ['name', 'arguments'] },
);
const message: fc.Arbitrary<ScriptedMessage> = fc.record(
  {
    role: fc.constantFrom<ConversationMessage['role']>('system', 'user', 'assistant', 'tool'),
    content: text,
    toolCalls: fc.array(call, { maxLength: 3 }),
    toolCallId: fc.constantFrom('a', 'b', 'z'),
    name: fc.oneof(toolName, fc.constantFrom('assistant', 'billing')),
    textExpired: fc.constant(true as const),
    error: fc.record({ type: text, message: text }),
  },
  { requiredKeys: ['role', 'content'] },
);
const snapshots = fc
  .tuple(
    fc.array(message, { maxLength: 24 }),
    fc.constantFrom<'conversation' | 'prefix' | 'traces'>('conversation', 'prefix', 'traces'),
    fc.boolean(),
  )
  .map(([script, scope, truncated]) => conversation(script, { scope, truncated }));

const patterns = fc.constantFrom('(?i)yes', '^\\W*$', '.', 'a{1,500}', '\\bA-\\d+', '[^a]');
const tools = fc.array(fc.constantFrom('*', 'cancel_*', 'pay', '*_order', 'get_order', '***', 'a*b*c'), {
  minLength: 1,
  maxLength: 3,
});
const agent = fc.constantFrom(undefined, 'assistant', 'billing');
const checks: fc.Arbitrary<ExpectationCheck> = fc
  .record({ tools, agent, one_of: tools, count: fc.integer({ min: 1, max: 3 }), pattern: patterns })
  .chain(({ tools, agent, one_of, count, pattern }) => {
    const of = agent === undefined ? {} : { agent };
    return fc.constantFrom<ExpectationCheck>(
      { form: 'confirm_before', tools, ...of },
      { form: 'requires_first', tools, one_of, ...of },
      { form: 'never_call', tools, ...of },
      { form: 'max_calls', tools, count, ...of },
      { form: 'one_call_at_a_time', ...of },
      { form: 'no_words_with_calls', ...of },
      { form: 'grounded_arguments', tools, ...of },
      { form: 'grounded_arguments', tools, parameters: ['id', '0'], ...of },
      { form: 'answer_matches', pattern, ...of },
      { form: 'answer_never_matches', pattern, ...of },
      { form: 'ends_with', tools, pattern, ...of },
    );
  });

describe('every form, over any conversation', () => {
  it('ends, gives the same again, and quotes exact words of steps of this conversation', () => {
    fc.assert(
      fc.property(checks, snapshots, (check, snapshot) => {
        const violations = evaluateExpectation({ check }, snapshot);
        expect(evaluateExpectation({ check }, structuredClone(snapshot))).toEqual(violations);
        for (const violation of violations) {
          expect(violation.evidence[0].message).toBe(violation.message);
          for (const { message: step, quote } of violation.evidence) {
            expect(snapshot.messages).toContain(step);
            if (quote !== undefined) expect(step.content.slice(quote.startChar, quote.endChar)).toBe(quote.quote);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('violations come in the order of the conversation', () => {
    fc.assert(
      fc.property(checks, snapshots, (check, snapshot) => {
        const steps = evaluateExpectation({ check }, snapshot).map(({ message: { index } }) => index);
        expect(steps).toEqual(steps.toSorted((left, right) => left - right));
      }),
    );
  });

  it('an earlier step is judged without what comes later, the end of a conversation aside', () => {
    fc.assert(
      fc.property(checks, fc.array(message, { maxLength: 16 }), fc.nat(16), (check, script, length) => {
        // A later result may show that a call had failed; exclude that here.
        fc.pre(
          check.form !== 'ends_with' &&
            script.every(({ role, textExpired }) => role !== 'tool' && textExpired === undefined),
        );
        // The agent of a name is known only from the whole conversation, so names are excluded.
        fc.pre(script.every(({ name }) => name === undefined));
        fc.pre(check.form !== 'confirm_before');
        const of = (messages: ScriptedMessage[]): number[] =>
          evaluateExpectation({ check }, conversation(messages)).map(({ message: { index } }) => index);
        expect(of(script.slice(0, length))).toEqual(of(script).filter((index) => index < length));
      }),
    );
  });
});

describe('what a call does is what counts', () => {
  const anyTools = fc.array(fc.constantFrom('get', 'pay', 'drop'), { maxLength: 30 });
  const of = (names: readonly string[]): ScriptedMessage[] => names.map((name) => calls({ name, arguments: {} }));

  it('never_call, max_calls and requires_first agree with counting by hand', () => {
    fc.assert(
      fc.property(anyTools, fc.integer({ min: 1, max: 4 }), (names, count) => {
        const snapshot = conversation([user('Hi'), of(names)]);
        const found = (check: ExpectationCheck): number => evaluateExpectation({ check }, snapshot).length;
        const pays = names.filter((name) => name === 'pay').length;
        expect(found({ form: 'never_call', tools: ['pay'] })).toBe(pays);
        expect(found({ form: 'max_calls', tools: ['pay'], count })).toBe(Math.max(0, pays - count));
        const firstGet = names.indexOf('get');
        const early = names.filter((name, index) => name === 'pay' && (firstGet === -1 || index < firstGet)).length;
        expect(found({ form: 'requires_first', tools: ['pay'], one_of: ['get'] })).toBe(early);
      }),
    );
  });

  it('a glob means what a regular expression of it means', () => {
    const piece = fc.constantFrom('a', 'b', '*', '_', 'ab');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), fc.array(fc.constantFrom('a', 'b', '_')), (parts, letters) => {
        const [glob, name] = [parts.join(''), letters.join('')];
        const expected = new RegExp(`^${glob.replaceAll(/\*+/g, '.*')}$`).test(name);
        expect(toolMatcher([glob])(name)).toBe(expected);
      }),
    );
  });
});

describe('hostile conversations cost linear time', () => {
  const all: ExpectationCheck[] = [
    { form: 'confirm_before', tools: ['*'] },
    { form: 'grounded_arguments', tools: ['*'] },
    { form: 'no_words_with_calls' },
    { form: 'answer_never_matches', pattern: '(?i)(a|b|ab)*c$' },
    { form: 'ends_with', pattern: '(x+x+)+y' },
  ];

  it.each(all)(
    'texts, for $form',
    (check) => {
      const evaluate = (content: string) => {
        const script = [
          user(content),
          assistant(content),
          user(content),
          { ...calls({ name: 'pay', arguments: { id: content, n: 'A-1001' } }), content },
        ];
        return evaluateExpectation({ check }, conversation([script, { role: 'tool', content }, assistant(content)]));
      };
      expect(slowTexts(evaluate, hostileRuns(), { length: 5_000, floorMs: 50 })).toEqual([]);
    },
    300_000,
  );

  it('ten thousand messages', () => {
    const round = [
      user('Cancel A-1001, please'),
      calls(
        ...Array.from({ length: 5 }, (_, index) => ({
          name: 'pay',
          arguments: { id: `Z-${index}001`, list: [1, 2, 3] },
        })),
      ),
    ];
    const snapshot = conversation(Array.from({ length: 5000 }, () => round));
    const startedAtMs = processorTimeMs();
    for (const check of all) evaluateExpectation({ check }, snapshot);
    expect(processorTimeMs() - startedAtMs).toBeLessThan(HOSTILE_LIMIT_MS);
  });
});
