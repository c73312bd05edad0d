import { newId } from '@clew/kernel';
import { beginCall, type CallStart, type FinishedCall } from '../endpoint/recording/finished-call.ts';

/** Call that began at 1 s and has ended, with the provider's answer; by default a chat of one question. */
export function finishedCall(
  answer: object,
  { endedAtMs = 2_000, ...more }: Partial<CallStart> & { endedAtMs?: number } = {},
): FinishedCall {
  const call = beginCall({
    ...{ projectId: newId('prj'), requestId: newId('req'), operation: 'chat', traceparent: undefined },
    principal: { kind: 'key', id: 'key_1', scopes: [] },
    endpoint: { name: 'a/b', provider: 'a', model: 'b', baseUrl: '', headers: {}, isLocal: false },
    request: { messages: [{ role: 'user', content: 'A question' }] },
    ...{ conversationId: undefined, requestBytes: 100, startedAtMs: 1_000 },
    ...more,
  });
  call.observer.see(answer);
  return call.end(endedAtMs);
}

/** Answer of a chat. */
export function chatAnswer(more: object = {}): object {
  return { choices: [{ message: { role: 'assistant', content: 'An answer', ...more } }] };
}
