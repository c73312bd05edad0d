import {
  CONTENT_MODES,
  DIALECTS,
  type EncodeOptions,
  type ScriptedConversation,
  type ScriptedMessage,
  type ScriptedToolCall,
} from '@clew/testing';
import fc from 'fast-check';

/** Texts that repeat, that are empty, that look like JSON, and any Unicode. */
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      'yes',
      'ok',
      'no',
      ' ',
      'Please wait.',
      '{"status": "done"}',
      '[1, 2]',
      'null',
      '42',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);
const callArguments = fc.oneof(
  fc.constantFrom({}, { id: 'A1' }, { id: 'A1', deep: [{ b: 2, a: null }] }, 'not JSON', [1, 'two']),
  fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
);
const afterMs = fc.option(fc.nat({ max: 2_000 }), { nil: undefined });

/** Step of a script: a user's message, a model's answer, or a model's calls with the results of the first of them. */
const step = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: text, afterMs }).map((message) => [message]),
  fc
    .record({ content: text, finishReason: fc.constantFrom(undefined, 'stop', 'length'), afterMs })
    .map((message) => [{ role: 'assistant' as const, ...message }]),
  fc
    .record({
      content: text,
      calls: fc.array(fc.record({ name: fc.constantFrom('search', 'book'), arguments: callArguments }), {
        minLength: 1,
        maxLength: 3,
      }),
      // Some models number the calls of each answer from the start.
      idPrefix: fc.constantFrom('call_', 'call_', 'tool:'),
      results: fc.array(fc.record({ content: text, isError: fc.boolean(), isNamed: fc.boolean(), afterMs }), {
        maxLength: 3,
      }),
    })
    .map(({ content, calls, idPrefix, results }): ScriptedMessage[] => {
      const toolCalls: ScriptedToolCall[] = calls.map((call, index) => ({ id: `${idPrefix}${index}`, ...call }));
      const answers = results.slice(0, toolCalls.length).map(({ content, isError, isNamed, afterMs }, index) => ({
        role: 'tool' as const,
        content,
        isError,
        ...(isNamed ? { toolCallId: `${idPrefix}${index}` } : {}),
        ...(afterMs === undefined ? {} : { afterMs }),
      }));
      return [{ role: 'assistant', content, toolCalls }, ...answers];
    }),
);

export const script: fc.Arbitrary<ScriptedConversation> = fc
  .record({
    system: fc.array(fc.constantFrom('You are helpful.', 'Be brief.'), { maxLength: 2 }),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    agent: fc.constantFrom(undefined, 'concierge'),
    later: fc.constantFrom(undefined, 'The user is now signed in.'),
  })
  .map(({ system, steps, agent, later }) => ({
    conversationId: 'conversation-1',
    ...(agent === undefined ? {} : { agent }),
    model: 'gpt-4o',
    messages: [
      ...system.map((content) => ({ role: 'system' as const, content })),
      ...steps.flat().map(withoutUndefined),
      ...(later === undefined ? [] : [{ role: 'system' as const, content: later }]),
    ],
  }));

function withoutUndefined(message: object): ScriptedMessage {
  return Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== undefined),
  ) as unknown as ScriptedMessage;
}

/** Way in which an instrumentation may record a conversation. */
export const encoding: fc.Arbitrary<EncodeOptions> = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  startMs: fc.constant(1_700_000_000_000),
  history: fc.constantFrom('full' as const, 'incremental' as const),
  content: fc.constantFrom(...CONTENT_MODES),
  toolSpans: fc.boolean(),
  traces: fc.constantFrom('one-per-turn' as const, 'single' as const),
  idSeed: fc.string({ minLength: 1, maxLength: 4 }),
});
