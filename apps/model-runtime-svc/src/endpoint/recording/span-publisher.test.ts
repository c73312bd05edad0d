import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spansReceived } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { MAX_MESSAGE_BYTES } from '@clew/messaging';
import { chatAnswer, finishedCall } from '../../test-support/finished-call.ts';
import { bytesOf, type RecordedCall } from './finished-call.ts';
import { MAX_PART_BYTES, messagesOf } from './span-publisher.ts';

const PROJECT = newId('prj');
const PROJECTS = [PROJECT, newId('prj'), newId('prj')];

const recordedCall = fc
  .record({ project: fc.constantFrom(...PROJECTS), requestBytes: fc.nat(2 * MAX_PART_BYTES), ends: fc.nat(10_000) })
  .map(({ project, requestBytes, ends }): RecordedCall => {
    const call = finishedCall(chatAnswer(), { projectId: project, requestBytes, endedAtMs: 1_000 + ends });
    return { call, conversationId: newId('conv') };
  });

it('each call goes once, within its project, in messages that are not too large', () => {
  fc.assert(
    fc.property(fc.array(recordedCall, { maxLength: 64 }), (calls) => {
      const messages = messagesOf(calls);
      for (const projectId of PROJECTS) {
        const sent = messages.filter((message) => message.projectId === projectId).map(spansOf);
        const wanted = calls.filter(({ call }) => call.projectId === projectId);
        expect(sent.flat().map(({ spanId }) => spanId)).toEqual(wanted.map(({ call }) => call.spanId));
        expect(sent.flat().map(({ attributes }) => attributes['clew.request.id'])).toEqual(
          wanted.map(({ call }) => call.requestId),
        );
      }
      for (const message of messages) {
        expect(() => spansReceived.data.parse(message.data)).not.toThrow();
        const ids = spansOf(message).map(({ spanId }) => spanId);
        const bytes = calls.filter(({ call }) => ids.includes(call.spanId)).map(({ call }) => bytesOf(call));
        expect(bytes.length === 1 || bytes.reduce((sum, each) => sum + each, 0) <= MAX_PART_BYTES).toBe(true);
      }
    }),
  );
});

it('no message is larger than the broker takes, whatever models wrote into their tool calls', () => {
  const written = {
    id: 'call_1',
    function: { name: 'write', arguments: JSON.stringify({ text: 'x'.repeat(500_000) }) },
  };
  const calls = Array.from({ length: 64 }, () => ({
    call: finishedCall(chatAnswer({ tool_calls: [written] }), { projectId: PROJECT }),
    conversationId: undefined,
  }));
  for (const message of messagesOf(calls)) {
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(MAX_MESSAGE_BYTES);
  }
});

function spansOf({ data }: ReturnType<typeof messagesOf>[number]) {
  return data.groups.flatMap(({ spans }) => spans);
}
