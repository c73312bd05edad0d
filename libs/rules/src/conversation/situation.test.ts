import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot } from '@clew/contracts';
import { offeredIn, offersSituation, situationOf } from './situation.ts';

function snapshotOf(parts: Partial<ConversationSnapshot>): ConversationSnapshot {
  return { agents: [], messages: [], tools: [], ...parts } as unknown as ConversationSnapshot;
}

const calling = (name: string, ...tools: string[]) =>
  ({ role: 'assistant', name, content: '', toolCalls: tools.map((tool) => ({ name: tool })) }) as never;
const declared = (...tools: string[]) => tools.map((name) => ({ name, parameters: {} }));

describe('what a conversation offers', () => {
  it('is the agents that speak, and the tools that they call, each once', () => {
    const messages = [calling('clerk', 'refund', 'find'), calling('clerk', 'find')];
    const snapshot = snapshotOf({ agents: ['desk'], messages, tools: declared('find', 'refund', 'never_called') });
    expect(offeredIn(snapshot)).toEqual({ agents: ['clerk', 'desk'], tools: ['find', 'refund'] });
  });

  it('is bounded, whatever a conversation names', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `tool_${index}`);
    const snapshot = snapshotOf({ messages: [calling('x'.repeat(500), '', '\ud800', ...many)] });
    const { agents, tools } = offeredIn(snapshot);
    expect([agents, tools.length]).toEqual([[], 50]);
  });
});

describe('the situation of a problem', () => {
  const snapshot = snapshotOf({ messages: [calling('clerk', 'refund', 'ghost')], tools: declared('refund') });

  it('is the agent and the tools that its signature names, and none for other words', () => {
    expect(situationOf(snapshot, ['clerk', 'refund', 'timeout'])).toEqual({ agent: 'clerk', tools: ['refund'] });
    expect(situationOf(snapshot, ['refund'])).toEqual({ tools: ['refund'] });
    expect(situationOf(snapshot, ['the agent', 'cut off'])).toBeUndefined();
  });

  it('holds no tool that was called without being declared: after the repair nobody calls it', () => {
    expect(situationOf(snapshot, ['clerk', 'ghost'])).toEqual({ agent: 'clerk' });
    const undeclared = snapshotOf({ messages: [calling('clerk', 'ghost')] });
    expect(situationOf(undeclared, ['ghost'])).toEqual({ tools: ['ghost'] });
  });

  it('is offered where its agent speaks and one of its tools is called', () => {
    const offered = { agents: ['clerk'], tools: ['find', 'refund'] };
    expect(offersSituation({ agent: 'clerk', tools: ['pay', 'refund'] }, offered)).toBe(true);
    expect(offersSituation({ agent: 'desk', tools: ['refund'] }, offered)).toBe(false);
    expect(offersSituation({ tools: ['pay'] }, offered)).toBe(false);
    expect(offersSituation({ agent: 'clerk' }, undefined)).toBe(false);
    expect(offersSituation(undefined, undefined)).toBe(true);
  });
});
