import { describe, expect, it } from '@jest/globals';
import {
  NewExample,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type SnapshotMessage,
} from '@clew/contracts';
import type { Decision } from './decision.ts';
import { preserve } from './preserve.ts';

type Said = Partial<SnapshotMessage> & Pick<SnapshotMessage, 'role'>;

const OPTIONS = { datasetId: 'dst_1', redaction: true };
const GOOD: DiagnosedConversation = { conversationId: 'c', snapshotId: null, score: 0.1, problems: [] };
const THANKS: Said = { role: 'user', content: 'Great, thanks!' };
const SAID: Said[] = [
  { role: 'system', content: 'You help with orders.' },
  { role: 'user', content: 'Cancel 17. My code is later.', name: 'Zoe Quill' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'k', name: 'cancel_order', arguments: { id: 17 } }] },
  { role: 'tool', toolCallId: 'k', name: 'cancel_order', content: '{"ok": true}' },
  { role: 'assistant', content: 'It is cancelled, Zoe Quill.' },
];

function snapshotOf(said: readonly Said[], more: Partial<ConversationSnapshot> = {}): ConversationSnapshot {
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  return {
    ...{ snapshotId: 'cesr_1', projectId: 'prj_1', conversationId: 'c', contentHash: 'h', revision: 1 },
    ...{ scope: 'conversation', startedAt: 1, throughMs: 9, agents: [], models: [], userId: null, truncated: false },
    ...{ tools: [], scores: [], ...more },
    messages: said.map((message, index) => ({ content: '', ...place, atMs: index, ...message, index })),
  };
}

function exampleOf(decision: Decision): NewExample {
  if (decision.status === 'refused') throw new Error(`refused: ${decision.reason}`);
  return NewExample.parse(decision.examples[0].example);
}

const keyOf = (decision: Decision) => exampleOf(decision).source.derivationKey;

describe('an Example of a success', () => {
  it('ends before the verified answer, keeps calls and results as they were, and names its origin', () => {
    const { payload, source } = exampleOf(
      preserve(snapshotOf([...SAID, THANKS]), GOOD, { ...OPTIONS, redaction: false }),
    );
    expect(payload).toEqual({
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'It is cancelled, Zoe Quill.' } },
      input: {
        type: 'chat',
        messages: [
          { role: 'system', content: 'You help with orders.' },
          { role: 'user', content: 'Cancel 17. My code is later.', name: 'Zoe Quill' },
          { role: 'assistant', content: null, toolCalls: [{ id: 'k', name: 'cancel_order', arguments: { id: 17 } }] },
          { role: 'tool', content: '{"ok": true}', toolCallId: 'k', name: 'cancel_order' },
        ],
      },
    });
    expect(source).toMatchObject({ kind: 'conversation', conversationId: 'c', traceIds: ['a'.repeat(32)] });
  });

  it('has one placeholder for one person, wherever it is named', () => {
    const example = exampleOf(preserve(snapshotOf([...SAID, THANKS]), GOOD, OPTIONS));
    expect(JSON.stringify(example)).not.toMatch(/Zoe|Quill/);
    expect(JSON.stringify(example).match(/\[name 1\]/g)).toHaveLength(2);
    expect(example.tags).toEqual(['collected', 'redacted']);
  });

  it('has a key that follows from what was said before it alone: not from the snapshot, what came later or redaction', () => {
    const key = keyOf(preserve(snapshotOf([...SAID, THANKS]), GOOD, OPTIONS));
    const later = { snapshotId: 'cesr_2', revision: 2 };
    expect(keyOf(preserve(snapshotOf([...SAID, THANKS], later), GOOD, { ...OPTIONS, redaction: false }))).toBe(key);
    expect(keyOf(preserve(snapshotOf(SAID), GOOD, OPTIONS))).toBe(key);
    expect(keyOf(preserve(snapshotOf(SAID), GOOD, { ...OPTIONS, datasetId: 'dst_2' }))).not.toBe(key);
    expect(keyOf(preserve(snapshotOf(SAID, { conversationId: 'd' }), GOOD, OPTIONS))).not.toBe(key);
  });
});

describe('nothing is taken', () => {
  it.each<[string, ConversationSnapshot, DiagnosedConversation | undefined]>([
    ['not_analysed', snapshotOf([...SAID, THANKS]), undefined],
    ['likely_failed', snapshotOf([...SAID, THANKS]), { ...GOOD, score: 0.41 }],
    ['conversation_too_long', snapshotOf([...SAID, THANKS], { truncated: true }), GOOD],
    ['words_expired', snapshotOf([{ ...SAID[0]!, textExpired: true }, ...SAID.slice(1), THANKS]), GOOD],
    ['no_answer', snapshotOf([{ role: 'user', content: 'Hello' }, THANKS]), GOOD],
  ])('for the reason %s', (reason, snapshot, diagnosed) => {
    expect(preserve(snapshot, diagnosed, OPTIONS)).toEqual({ status: 'refused', reason });
  });

  it('from a likely failure, unless somebody has scored it as a success', () => {
    const scores = [{ id: 's', name: 'good', value: true, source: 'user' as const, createdAt: 1 }];
    const scored = snapshotOf([...SAID, THANKS], { scores });
    expect(preserve(scored, { ...GOOD, score: 0.9 }, OPTIONS)).toMatchObject({ status: 'collected', because: 'score' });
  });
});
