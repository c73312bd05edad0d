import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spansReceived } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { beginCall, type RecordedCall } from './finished-call.ts';
import { bytesOf, MAX_PART_BYTES, messagesOf } from './span-publisher.ts';

const PROJECTS = [newId('prj'), newId('prj'), newId('prj')];

const recordedCall = fc
  .record({ project: fc.constantFrom(...PROJECTS), requestBytes: fc.nat(2 * MAX_PART_BYTES), ends: fc.nat(10_000) })
  .map(({ project, requestBytes, ends }): RecordedCall => {
    const call = beginCall({
      ...{ projectId: project, requestId: newId('req'), operation: 'chat', traceparent: undefined },
      principal: { kind: 'key', id: 'key_1', scopes: [] },
      endpoint: { name: 'a/b', provider: 'a', model: 'b', baseUrl: '', headers: {}, isLocal: false },
      request: { messages: [{ role: 'user', content: 'A question' }] },
      ...{ conversationId: undefined, requestBytes, startedAtMs: 1_000 },
    });
    call.observer.see({ choices: [{ message: { role: 'assistant', content: 'An answer' } }] });
    return { call: call.end(1_000 + ends), conversationId: newId('conv') };
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

function spansOf({ data }: ReturnType<typeof messagesOf>[number]) {
  return data.groups.flatMap(({ spans }) => spans);
}
