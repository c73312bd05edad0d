import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NewExample } from '@clew/contracts';
import { lookAtConversation } from '../look-at-conversation.ts';
import { diagnosedWith, problemAt, snapshotOf, type Said } from '../test-support/conversations.ts';
import { answering, GOOD_RESPONSE, says } from '../test-support/models.ts';
import { isGrounded } from './grounds.ts';
import { synthesizeFromConversation } from './synthesize-from-conversation.ts';

const OPTIONS = { datasetId: 'dst_1', redaction: false, model: 'loop/wise', contextLength: null };
const OBJECTIVE = 'correct_failed_conversations';

const word = fc.constantFrom('order', 'lamp', 'refund', 'card_77', 'W1042', '48', 'please', 'Norway', 'is', 'not');
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'tool'), content: text }),
  fc.record({
    role: fc.constant('assistant' as const),
    toolCalls: fc.array(fc.record({ name: fc.constantFrom('a', 'b'), arguments: fc.dictionary(word, text) }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
);
const conversation = fc.array(said, { minLength: 2, maxLength: 10 });

/** Conversation with the step of an assistant in it, after at least one message. */
const withStep = fc
  .tuple(conversation, fc.array(said, { maxLength: 5 }), text)
  .map(([before, after, content]) => ({ before, after, mistake: { role: 'assistant' as const, content } }));

const lookAt = (messages: readonly Said[], step: number, more: object = {}) =>
  lookAtConversation(OBJECTIVE, snapshotOf(messages, more), diagnosedWith(problemAt(step)), OPTIONS);

describe('a look at a mistake', () => {
  it('has one key and one basis for what was said up to the step, whatever came later or how often it is read', () => {
    fc.assert(
      fc.property(withStep, fc.array(said, { maxLength: 5 }), ({ before, after, mistake }, other) => {
        const step = before.length;
        const first = lookAt([...before, mistake, ...after], step);
        expect(first).toMatchObject({ status: 'to_synthesize', stepIndex: step });
        const snapshot = { snapshotId: 'cesr_9', revision: 9, contentHash: 'other', throughMs: 1 };
        expect(lookAt([...before, mistake, ...other], step, snapshot)).toEqual(first);
        const changed = { ...mistake, content: `${mistake.content} indeed` };
        expect(lookAt([...before, changed, ...after], step)).not.toMatchObject({ basis: Reflect.get(first, 'basis') });
      }),
    );
  });
});

describe('the input of an Example', () => {
  it('is what was said before the step, and nothing at it or after it', async () => {
    await fc.assert(
      fc.asyncProperty(withStep, async ({ before, after, mistake }) => {
        const marked = [
          ...before.map((message, at) => ({ ...message, content: `${message.content ?? ''} before${at}` })),
          { ...mistake, content: `${mistake.content} mistaken` },
          ...after.map((message) => ({ ...message, content: `${message.content ?? ''} afterwards` })),
        ];
        const snapshot = snapshotOf(marked);
        const diagnosed = diagnosedWith(problemAt(before.length));
        const synthesis = lookAtConversation(OBJECTIVE, snapshot, diagnosed, OPTIONS);
        if (synthesis.status !== 'to_synthesize') throw new Error(synthesis.status);
        const quotes = [{ messageIndex: 0, quote: marked[0]!.content }];
        const { ask } = answering({ ...GOOD_RESPONSE, content: 'I ask first.', quotes }, says('yes'));
        const outcome = await synthesizeFromConversation(
          ask,
          { objective: OBJECTIVE, snapshot, diagnosed, synthesis },
          OPTIONS,
        );
        if (outcome.status === 'refused') throw new Error(outcome.reason);
        const { payload } = outcome.examples[0].example as NewExample;
        const input = JSON.stringify(payload.input);
        expect(before.every((_, at) => input.includes(`before${at}"`))).toBe(true);
        expect(input).not.toMatch(/mistaken|afterwards/);
        expect(JSON.stringify(payload.rejectedOutput)).toContain('mistaken');
        expect(JSON.stringify(payload)).not.toContain('afterwards');
      }),
    );
  });
});

describe('grounds', () => {
  const response = (content: string, args: object = {}) => ({
    ...{ role: 'assistant' as const, content, toolCalls: [{ name: 'a', arguments: args }] },
  });

  it('hold whatever repeats messages, and no number, name or id besides', () => {
    const number = fc.integer({ min: 100, max: 99_999 });
    const name = fc.stringMatching(/^[A-Z][a-z]{2}[A-Z]{2}[a-z]{3}$/);
    fc.assert(
      fc.property(conversation, number, name, (messages, unknown, somebody) => {
        const { messages: known } = snapshotOf(messages);
        const holds = (said: ReturnType<typeof response>) => isGrounded(said, { messages: known, tools: [] });
        const repeated = known.map(({ content }) => content);
        expect(holds(response(repeated.join('\n'), { repeated }))).toBe(true);
        fc.pre(!JSON.stringify(known).includes(String(unknown)));
        for (const made of [`${unknown}`, somebody, `id-${unknown}`, `${somebody}@b.example`]) {
          expect(holds(response(`please use ${made}`))).toBe(false);
          expect(holds(response('', { made }))).toBe(false);
          expect(holds(response('', { deep: [{ made }] }))).toBe(false);
        }
      }),
    );
  });

  it('give an answer for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.jsonValue(),
        (one, other, args) => {
          const { messages } = snapshotOf([{ role: 'user', content: one }]);
          expect(typeof isGrounded(response(other, { args }), { messages, tools: [] })).toBe('boolean');
        },
      ),
    );
  });
});
