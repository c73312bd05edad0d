import { describe, expect, it } from '@jest/globals';
import { processorTimeMs } from '@clew/testing';
import { parseLine } from './parse-line.ts';

/** Line with a conversation of `messages` messages and, if given, a tool call with `members` arguments. */
function lineOf(messages: number, members = 0): string {
  const given = Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 0]));
  const said = Array.from({ length: messages }, () => ({ role: 'user', content: 'Hello' }));
  const call = { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'run', arguments: given } }] };
  return JSON.stringify({ messages: members === 0 ? said : [...said, call] });
}

describe('a line of an import', () => {
  it('may hold the most messages', () => {
    expect(parseLine({ number: 1, text: lineOf(10_000) })).toHaveProperty('conversation');
  });

  it.each([
    ['60,000 members', lineOf(1, 60_000), 'holds more than 50000 members of objects'],
    ['900,000 members', lineOf(1, 900_000), 'holds more than 250000 values'],
    ['900,000 values', `{"messages":[${'0,'.repeat(900_000)}0]}`, 'holds more than 250000 values'],
    ['900,000 levels', `{"messages":${'['.repeat(900_000)}`, 'nests deeper than 64 levels'],
  ])('of %s is refused before it is parsed', (_, text, reason) => {
    const startedAtMs = processorTimeMs();
    expect(parseLine({ number: 1, text })).toEqual({ path: '', reason });
    expect(processorTimeMs() - startedAtMs).toBeLessThan(500);
  });
});
