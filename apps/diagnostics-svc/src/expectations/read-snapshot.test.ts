import { describe, expect, it } from '@jest/globals';
import type { CheckedExpectation, ConversationSnapshot, ExpectationCheck } from '@clew/contracts';
import { promptsOf } from '@clew/rules';
import { SMALL_BYTES, ThreadDeadlineError } from '@clew/runtime';
import { leastThreadTimeOf, MIN_SHARE, threadTimeOf } from '@clew/testing';
import { NEVER_PAY, snapshotOfParts } from '../test-support/expectations.ts';
import { answerOf, createAskSnapshot, type Question } from './read-snapshot.ts';

const expectation: CheckedExpectation = { id: 'exp_1', statement: 'Never pay', severity: 'high', check: NEVER_PAY };
const PARTS = { projectId: 'prj_1', calls: ['pay'], prompt: 'You are an agent. Never pay.' };
const [SHOWN] = promptsOf(snapshotOfParts(PARTS));
const QUESTIONS: Question[] = [
  { ask: 'detection', expectation, configuration: undefined },
  { ask: 'proposals', prompt: { promptHash: SHOWN!.promptHash, tools: ['pay'] } },
];
const askSnapshot = createAskSnapshot({ deadlineMs: 60_000 });

function jsonOf(snapshot: ConversationSnapshot): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(snapshot));
}

/** Factor by which a conversation is longer whose cost is measured, so that the start of a thread is little beside it. */
const VERY_LONG = 4;

function longSnapshot(times = 1): ConversationSnapshot {
  return snapshotOfParts({
    ...PARTS,
    calls: ['pay', ...Array.from({ length: 10_000 * times }, (_, index) => `tool_${index}`)],
    says: 'Order A-1001 goes to jane@example.com. '.repeat(60_000 * times),
  });
}

describe('a question to a snapshot', () => {
  it.each(QUESTIONS)(
    'has the same answer where it is small and where it is large: $ask',
    async (question) => {
      const [small, large] = [jsonOf(snapshotOfParts(PARTS)), jsonOf(longSnapshot())];
      expect([small.byteLength < SMALL_BYTES, large.byteLength < SMALL_BYTES]).toEqual([true, false]);
      for (const json of [small, large]) {
        const inline = answerOf(json.slice(), question);
        expect(inline).toBeDefined();
        expect(await askSnapshot('prj_1', json, question)).toEqual(inline);
      }
    },
    120_000,
  );

  it.each(QUESTIONS)(
    'costs the event loop a small part of what a large one takes: $ask',
    async (question) => {
      const json = jsonOf(longSnapshot(VERY_LONG));
      const inlineMs = await threadTimeOf(() => answerOf(json.slice(), question));
      const usedMs = await leastThreadTimeOf(() => askSnapshot('prj_1', json.slice(), question));
      expect(usedMs).toBeLessThan(inlineMs / MIN_SHARE);
    },
    120_000,
  );

  it('is refused at its deadline, and says what took so long', async () => {
    const hurried = createAskSnapshot({ deadlineMs: 1 });
    for (const question of QUESTIONS) {
      const answered = hurried('prj_1', jsonOf(longSnapshot()), question);
      await expect(answered).rejects.toThrow(new ThreadDeadlineError('snapshot-thread takes longer than 1 ms'));
    }
  }, 120_000);

  it('about values is asked in a thread sooner than others, since to look for them takes longer', async () => {
    const hurried = createAskSnapshot({ deadlineMs: 1 });
    const json = jsonOf(snapshotOfParts({ ...PARTS, says: 'Hello. '.repeat(10_000) }));
    const about = (check: ExpectationCheck): Question => {
      return { ask: 'detection', expectation: { ...expectation, check }, configuration: undefined };
    };
    expect(await hurried('prj_1', json.slice(), about(NEVER_PAY))).toBeDefined();
    for (const form of ['grounded_arguments', 'confirm_before'] as const) {
      await expect(hurried('prj_1', json.slice(), about({ form, tools: ['pay'] }))).rejects.toThrow(
        ThreadDeadlineError,
      );
    }
  });

  it('is refused where the snapshot cannot be read, whatever its size', async () => {
    const [question] = QUESTIONS as [Question];
    for (const padding of [1, SMALL_BYTES]) {
      const json = new TextEncoder().encode(`{"messages":[{}]}${' '.repeat(padding)}`);
      await expect(askSnapshot('prj_1', json, question)).rejects.toThrow();
    }
  }, 120_000);
});
