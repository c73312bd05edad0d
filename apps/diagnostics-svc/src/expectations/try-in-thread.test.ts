import { afterEach, describe, expect, it } from '@jest/globals';
import { getSnapshot, type ConversationSnapshot, type ExpectationCheck } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { evaluateExpectation } from '@clew/rules';
import { leastThreadTimeOf, MIN_SHARE, threadTimeOf } from '@clew/testing';
import { NEVER_PAY, snapshotOfParts } from '../test-support/expectations.ts';
import { startTrying, type TryingThread } from './try-in-thread.ts';

const MAX_BLOCKED_MS = 50;
const NEVER = new AbortController().signal;
const CONFIRMED: ExpectationCheck = { form: 'confirm_before', tools: ['*'] };

let thread: TryingThread | undefined;

afterEach(() => thread?.end());

function started(check: ExpectationCheck): TryingThread {
  thread = startTrying(check);
  return thread;
}

function jsonOf(snapshot: ConversationSnapshot): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(snapshot));
}

/** Conversation with many calls and much text. */
function longConversation(times = 1): ConversationSnapshot {
  const calls = Array.from({ length: 10_000 * times }, (_, index) => `tool_${index}`);
  return snapshotOfParts({
    projectId: 'prj_1',
    calls,
    says: 'Order A-1001 goes to jane@example.com. '.repeat(60_000 * times),
  });
}

describe('a check that is tried in a thread', () => {
  it('tells the first step that breaks it, and how many do, of each snapshot', async () => {
    const { try: tried } = started(NEVER_PAY);
    const broken = snapshotOfParts({ projectId: 'prj_1', calls: ['pay', 'refund', 'pay'] });
    const { conversationId, snapshotId } = broken;
    expect(await tried(jsonOf(broken), NEVER)).toEqual({
      isRead: true,
      example: {
        ...{ conversationId, snapshotId, violations: 2, reason: expect.stringContaining('pay') },
        location: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] },
      },
    });
    const kept = snapshotOfParts({ projectId: 'prj_1', calls: ['refund'] });
    expect(await tried(jsonOf(kept), NEVER)).toEqual({ isRead: true, example: undefined });
  });

  it('costs the event loop a small part of what a long conversation takes, which is more than it may be blocked', async () => {
    const { try: tried } = started(CONFIRMED);
    const snapshot = longConversation(3);
    const [json, text] = [jsonOf(snapshot), JSON.stringify(snapshot)];
    const inlineMs = await threadTimeOf(() =>
      evaluateExpectation({ check: CONFIRMED }, getSnapshot.responses[200].parse(readJson(text))),
    );
    expect(inlineMs).toBeGreaterThan(MAX_BLOCKED_MS);
    const usedMs = await leastThreadTimeOf(async () =>
      expect(await tried(json.slice(), NEVER)).toMatchObject({ isRead: true }),
    );
    // Total time used, so no single step can have been longer. Compared as a share, because machines differ in speed.
    expect(usedMs).toBeLessThan(inlineMs / MIN_SHARE);
  }, 60_000);

  it('says nothing of what it cannot read, and goes on', async () => {
    const { try: tried } = started(NEVER_PAY);
    expect(await tried(new TextEncoder().encode('{"messages":[{}]}'), NEVER)).toEqual({ isRead: false });
    const kept = snapshotOfParts({ projectId: 'prj_1' });
    expect(await tried(jsonOf(kept), NEVER)).toEqual({ isRead: true, example: undefined });
  });

  it('is given up at its deadline', async () => {
    const { try: tried } = started(CONFIRMED);
    await expect(tried(jsonOf(longConversation()), AbortSignal.timeout(1))).rejects.toThrow();
  });

  it('is given up where its thread has ended', async () => {
    const { try: tried, end } = started(CONFIRMED);
    await end();
    await expect(tried(jsonOf(snapshotOfParts({ projectId: 'prj_1' })), NEVER)).rejects.toThrow('has ended');
  });
});
