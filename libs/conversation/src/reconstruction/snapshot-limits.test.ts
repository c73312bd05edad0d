import { describe, expect, it } from '@jest/globals';
import { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_MESSAGES } from './limits.ts';
import { assembled, assistant, call, user } from './test-support/spans.ts';

describe('the limits of a snapshot', () => {
  it('keep the first messages of a conversation with too many', () => {
    const input = Array.from({ length: MAX_SNAPSHOT_MESSAGES + 5 }, (_, index) => user(`message ${index}`));
    const { messages, truncated } = assembled(call({ id: '1', at: [0, 1], input, output: [assistant('done')] }));
    expect(messages).toHaveLength(MAX_SNAPSHOT_MESSAGES);
    expect(messages.at(-1)?.content).toBe(`message ${MAX_SNAPSHOT_MESSAGES - 1}`);
    expect(truncated).toBe(true);
  });

  it('cut the text that goes beyond the bytes, between characters, the same every time', () => {
    const input = [user('first'), user('ä'.repeat(MAX_SNAPSHOT_BYTES / 2)), user('last')];
    const once = assembled(call({ id: '1', at: [0, 1], input }));
    expect(once.truncated).toBe(true);
    expect(once.messages.map(({ content }) => Buffer.byteLength(content))).toEqual([5, MAX_SNAPSHOT_BYTES - 6]);
    expect(once.messages[1]?.content.endsWith('ä')).toBe(true);
    expect(assembled(call({ id: '1', at: [0, 1], input })).contentHash).toBe(once.contentHash);
  });

  it('leave a conversation that fits as it is', () => {
    expect(assembled(call({ id: '1', at: [0, 1], input: [user('hi')] })).truncated).toBe(false);
  });
});
