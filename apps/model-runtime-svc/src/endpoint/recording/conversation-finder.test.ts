import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chatCallOf, ConversationPoints } from './conversation-finder.ts';
import type { FinishedCall } from './finished-call.ts';

interface Said {
  role: string;
  content: unknown;
  [member: string]: unknown;
}

const user = (content: unknown): Said => ({ role: 'user', content });
const assistant = (content: unknown): Said => ({ role: 'assistant', content });

function callOf(messages: Said[], answer: string | undefined, more: Partial<FinishedCall> = {}): FinishedCall {
  return {
    ...{ projectId: 'prj_1', requestId: 'req_1', operation: 'chat', origin: 'caller', principalId: 'key_1' },
    endpoint: { name: 'a/b', provider: 'a', model: 'b' },
    ...{ traceId: '1'.repeat(32), spanId: '1'.repeat(16), parentSpanId: undefined, conversationId: undefined },
    request: { messages },
    requestBytes: 1,
    answer: {
      ...{ responseId: undefined, responseModel: undefined, finishReason: 'stop', usage: undefined },
      ...{ content: answer ?? '', reasoning: '', toolCalls: [], truncated: false },
    },
    ...{
      startedAtMs: 0,
      endedAtMs: 1,
      firstByteMs: undefined,
      error: answer === undefined ? 'provider_failed' : undefined,
    },
    ...more,
  } as FinishedCall;
}

/** Records a call in the same way as the recorder, and returns the conversation it is assigned to. */
function recorderOn(points = new ConversationPoints([])) {
  let made = 0;
  return (call: FinishedCall): string => {
    const chat = chatCallOf(call);
    const conversationId = points.find(chat) ?? `conv_${(made += 1)}`;
    points.reached(chat, conversationId);
    return conversationId;
  };
}

describe('a chat without a conversation id', () => {
  it('is one conversation over all of its turns', () => {
    const words = fc.array(fc.tuple(fc.string(), fc.string({ minLength: 1 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, (turns) => {
        const record = recorderOn();
        const history: Said[] = [{ role: 'system', content: 'Be brief' }];
        const found = turns.map(([question, answer]) => {
          history.push(user(question));
          const conversation = record(callOf(history, answer));
          history.push(assistant(answer));
          return conversation;
        });
        expect(new Set(found).size).toBe(1);
      }),
    );
  });

  it('stays apart from others that say the same, as long as both go on', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 2), { minLength: 3, maxLength: 30 }), (order) => {
        const record = recorderOn();
        const histories: Said[][] = [[], [], []];
        const found: (string | undefined)[] = [];
        // All chats begin with the same words, and get the same answers.
        for (const chat of [0, 1, 2, ...order]) {
          const history = histories[chat] as Said[];
          const turn = history.length / 2;
          history.push(user(turn === 0 ? 'Hi' : `${chat} says ${turn}`));
          const conversation = record(callOf([...history], 'Hello'));
          history.push(assistant('Hello'));
          found[chat] ??= turn === 0 ? undefined : conversation;
          if (found[chat] !== undefined) expect(conversation).toBe(found[chat]);
        }
        const going = found.filter((conversation) => conversation !== undefined);
        expect(new Set(going).size).toBe(going.length);
      }),
    );
  });

  it('goes on though the instructions change with every turn', () => {
    const record = recorderOn();
    const instructions = (time: string) => ({ role: 'system', content: `It is ${time}` });
    const first = record(callOf([instructions('ten'), user('Hi')], 'Hello'));
    expect(record(callOf([instructions('eleven'), user('Hi'), assistant('Hello'), user('Bye')], 'Bye'))).toBe(first);
  });

  it('goes on however its client writes the answer down', () => {
    const forms: Said[] = [
      assistant('Hello'),
      assistant(' Hello\n'),
      assistant([{ type: 'text', text: 'Hello' }]),
      { ...assistant('Hello'), refusal: null, annotations: [], tool_calls: [] },
    ];
    for (const form of forms) {
      const record = recorderOn();
      const first = record(callOf([user('Hi')], 'Hello'));
      expect(record(callOf([user('Hi'), form, user('Bye')], 'Bye'))).toBe(first);
    }
  });

  it('goes on through calls of tools', () => {
    const record = recorderOn();
    const toolCalls = [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }];
    const calling = callOf([user('1+1?')], '');
    calling.answer.toolCalls = toolCalls;
    const first = record(calling);
    const sent = toolCalls.map(({ id, ...rest }) => ({ id, type: 'function', function: rest }));
    const history = [user('1+1?'), { role: 'assistant', content: null, tool_calls: sent }];
    const result = { role: 'tool', tool_call_id: 'call_1', content: '2' };
    expect(record(callOf([...history, result], 'Two'))).toBe(first);
  });

  it('is the same when a call failed and is made again', () => {
    const record = recorderOn();
    const first = record(callOf([user('Hi')], undefined));
    expect(record(callOf([user('Hi')], 'Hello'))).toBe(first);
  });

  it('is the same when its last turn is edited or asked again', () => {
    const record = recorderOn();
    const first = record(callOf([user('Hi')], 'Hello'));
    const history = [user('Hi'), assistant('Hello')];
    expect(record(callOf([...history, user('One')], 'Fine'))).toBe(first);
    expect(record(callOf([...history, user('Two')], 'Well'))).toBe(first);
  });

  it.each([
    ['another project', { projectId: 'prj_2' }],
    ['another user', { request: { user: 'somebody', messages: [user('Hi'), assistant('Hello'), user('Bye')] } }],
  ])('is not continued by %s', (_what, more) => {
    const record = recorderOn();
    const first = record(callOf([user('Hi')], 'Hello'));
    expect(record(callOf([user('Hi'), assistant('Hello'), user('Bye')], 'Bye', more))).not.toBe(first);
  });

  it('is a new one where only the question is the same', () => {
    const record = recorderOn();
    const first = record(callOf([user('Hi')], 'Hello'));
    expect(record(callOf([user('Hi')], 'Hello'))).not.toBe(first);
  });
});
