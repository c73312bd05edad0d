import { describe, expect, it } from '@jest/globals';
import type { MessageRole } from '../dialects/index.ts';
import { addChild, newRoot, type ContextNode } from './context-tree.ts';
import { newEntry } from './entry.ts';
import { createMessageTable, type Said } from './message-table.ts';
import { findWindow } from './window-alignment.ts';

const table = createMessageTable();
/** Builds messages: `Q` and digits is a user's, `A` and digits a model's. */
function say(line: string): Said[] {
  return line.split(' ').map((content) => {
    const role: MessageRole = content.startsWith('A') ? 'assistant' : 'user';
    return table.intern({ role, content });
  });
}

function context(line: string): ContextNode {
  const origin = { traceId: '', spanId: '', timeNs: 0n };
  return say(line).reduce((node, said) => addChild(node, newEntry(said, origin, node.entry), said.symbol), newRoot());
}

const match = (contexts: ContextNode[], line: string) => {
  const found = findWindow(contexts, say(line));
  return found === undefined ? undefined : { start: found.start, end: found.end, of: contexts.indexOf(found.node) };
};

describe('the end of a known context in the messages of a call', () => {
  it.each([
    ['at the beginning', 'Q1 A1 Q2 A2', 'A1 Q2 A2 Q3', { start: 0, end: 3 }],
    ['behind a summary', 'Q1 A1 Q2 A2', 'Q9 Q2 A2 Q3', { start: 1, end: 3 }],
    ['at the end', 'Q1 A1', 'Q9 Q1 A1', { start: 1, end: 3 }],
    ['where words repeat', 'Q1 A1 Q1 A1', 'Q1 A1 Q1', { start: 0, end: 2 }],
    ['that is longer than the messages', 'Q1 A1 Q2 A2 Q3 A3', 'A3 Q4', { start: 0, end: 1 }],
  ])('is found %s', (_, known, messages, expected) => {
    expect(match([context(known)], messages)).toEqual({ ...expected, of: 0 });
  });

  it('is the longest of several, and of equal ones the latest context', () => {
    expect(match([context('Q5 A1'), context('Q1 A1'), context('Q1 A1')], 'Q1 A1 Q2')).toEqual({
      start: 0,
      end: 2,
      of: 1,
    });
  });

  it('is not there without a model’s answer in it, or without any repeat', () => {
    expect(match([context('Q1 A1 Q2')], 'Q2 A9 Q3')).toBeUndefined();
    expect(match([context('Q1 A1')], 'Q7 A7 Q8')).toBeUndefined();
    expect(match([], 'Q1 A1')).toBeUndefined();
  });
});
