import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot } from '@clew/contracts';
import { slowTexts, twoPieceTexts } from '@clew/testing/hostile';
import { assistant, calls, conversation, user, type ScriptedMessage } from '../test-support/conversation.ts';
import { promptHash } from './grammar/prompt-hash.ts';
import { promptsOf } from './prompts.ts';

const system = (content: string): ScriptedMessage => ({ role: 'system', content });

/** Builds the messages of several model calls, each with its own span. */
function inSpans(...spans: readonly (readonly ScriptedMessage[])[]): ConversationSnapshot {
  const spanOf = spans.flatMap((script, index) => script.map(() => String(index + 1).padStart(16, '0')));
  const snapshot = conversation(spans.flat());
  return { ...snapshot, messages: snapshot.messages.map((message, at) => ({ ...message, spanId: spanOf[at]! })) };
}

describe('the prompts of a conversation', () => {
  it('are its system messages, each once, with the tools that were offered or called', () => {
    const script = [
      system('Be kind.'),
      user('Hi'),
      calls({ name: 'pay', arguments: {} }),
      system('Be kind.'),
      assistant('Hi'),
    ];
    const snapshot = conversation([script], { tools: [{ name: 'refund', parameters: {} }] });
    expect(promptsOf(snapshot)).toEqual([
      { text: 'Be kind.', promptHash: promptHash('Be kind.'), tools: ['pay', 'refund'] },
    ]);
  });

  it('are none where there is no text, or more of it than instructions have', () => {
    expect(promptsOf(conversation([[system('  '), system('x'.repeat(50_001)), user('Hi')]]))).toEqual([]);
  });

  it('belong to the agent that answers in their span where several speak, and count for nobody where none does', () => {
    const snapshot = inSpans(
      [system('You sell.'), user('Hi'), assistant('Hello', { name: 'sales' })],
      [system('You help.'), assistant('Yes?', { name: 'support' })],
      [system('You route.'), assistant('sales')],
    );
    expect(promptsOf(snapshot).map(({ text, agent }) => [text, agent])).toEqual([
      ['You sell.', 'sales'],
      ['You help.', 'support'],
    ]);
  });

  it('name no tool that a check cannot name', () => {
    const odd = ['', ' pay', 'a\nb', 'x'.repeat(201), '\ud800', 'pay'];
    const snapshot = conversation([system('Be kind.'), user('Hi')], {
      tools: odd.map((name) => ({ name, parameters: {} })),
    });
    expect(promptsOf(snapshot)[0]?.tools).toEqual(['pay']);
  });

  it('take time that is linear in their length, whatever they hold', () => {
    const read = (content: string) => promptsOf(conversation([system(content), user('Hi')]));
    expect(slowTexts(promptHash, twoPieceTexts())).toEqual([]);
    expect(slowTexts(read, twoPieceTexts(), { length: 5_000, floorMs: 25 })).toEqual([]);
  }, 300_000);
});
