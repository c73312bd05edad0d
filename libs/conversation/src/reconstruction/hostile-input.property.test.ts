import { describe, expect, it } from '@jest/globals';
import { ConversationMessage, Score, type LogRecord, type SpanEvent } from '@clew/contracts';
import { processorTimeMs } from '@clew/testing';
import fc from 'fast-check';
import { readSpan, spanFacts, type StoredSpan } from '../dialects/index.ts';
import { assembleConversation } from './assemble-conversation.ts';
import { span, spanIdOf, traceIdOf } from './test-support/spans.ts';

const RUNS = 100;

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Values that no instrumentation sends: wrong types, broken and bottomless JSON, keys that objects inherit. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.json({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    '{"role": "user", "content": ',
    '{"__proto__": {"role": "user"}, "constructor": 1, "content": {"__proto__": []}}',
    '[{"role":"assistant","tool_calls":[{"function":{"arguments":"{"}},{"function":null},7]}]',
    '[{"role":"tool","content":[{"type":"tool_result"}]},{"parts":[null,[],{"type":1}]},[[{"role":"user"}]]]',
    '{"args":[1e999],"kwargs":{"\\ud800":"\\udfff"}}',
    '\ud800',
    deep(2_000),
    JSON.parse(deep(500)) as unknown,
    JSON.parse('{"__proto__": {"polluted": true}}') as unknown,
    Number.NaN,
    Number.MAX_VALUE,
  ),
  fc.array(
    fc.record(
      {
        role: fc.oneof(fc.constantFrom('system', 'user', 'assistant', 'tool', 'ToolMessage', ''), fc.jsonValue()),
        content: fc.jsonValue(),
        parts: fc.array(
          fc.record(
            {
              type: fc.constantFrom('text', 'tool_call', 'tool_call_response', 'blob', 'reasoning', '?'),
              content: fc.jsonValue(),
              id: fc.jsonValue(),
              name: fc.jsonValue(),
              arguments: fc.jsonValue(),
              response: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
        tool_calls: fc.oneof(fc.jsonValue(), fc.array(fc.record({ id: fc.jsonValue(), function: fc.jsonValue() }))),
        tool_call_id: fc.jsonValue(),
        finish_reason: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  ),
);

const KEYS = [
  'gen_ai.operation.name',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.tool.name',
  'gen_ai.tool.call.id',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.conversation.id',
  'gen_ai.response.finish_reasons',
  'gen_ai.response.id',
  'gen_ai.request.previous_response.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.tool.type',
  'gen_ai.retrieval.documents',
  'gen_ai.memory.records',
  'retrieval.documents.0.document.content',
  'clew.origin',
  'gen_ai.prompt',
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.999999999.content',
  'gen_ai.prompt.99999999999999999999.content',
  'gen_ai.prompt.3.tool_calls.88888.arguments',
  'gen_ai.prompt.-1.content',
  'gen_ai.prompt..role',
  'gen_ai.completion.7.content',
  'llm.request.functions.5.parameters',
  'llm.input_messages.0.message.role',
  'llm.input_messages.4294967296.message.content',
  'llm.input_messages.2.message.contents.1.message_content.type',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.name',
  'llm.output_messages.0.message.content',
  'llm.output_messages.__proto__.message.content',
  'llm.tools.1.tool.json_schema',
  'openinference.span.kind',
  'input.value',
  'output.value',
  'output.mime_type',
  'session.id',
  'user.id',
  'traceloop.span.kind',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'langfuse.observation.type',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'langfuse.observation.usage_details',
  'langfuse.trace.input',
  'langfuse.trace.output',
  'ai.operationId',
  'ai.prompt',
  'ai.prompt.messages',
  'ai.prompt.tools',
  'ai.response.text',
  'ai.response.toolCalls',
  'ai.response.object',
  'ai.toolCall.result',
  'ai.toolCall.args',
  'error.type',
  '__proto__',
  'constructor',
  'toString',
] as const;
const KINDS = [
  'chat',
  'execute_tool',
  'retrieval',
  'search_memory',
  'recalled',
  'invoke_agent',
  'LLM',
  'TOOL',
  'tool',
  'generation',
  'ai.toolCall',
  'ai.generateText.doGenerate',
];

const attributes = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.oneof(value, fc.constantFrom(...KINDS))), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);
const eventName = fc.constantFrom(
  'gen_ai.user.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.client.inference.operation.details',
  'gen_ai.evaluation.result',
  'gen_ai.content.prompt',
  'db.query.result',
  'exception',
  '',
);
const time = fc.oneof(
  fc.nat({ max: 5_000 }).map((ms) => `17000000${String(ms).padStart(4, '0')}0000000`),
  fc.constantFrom('0', '99999999999999999999', 'soon'),
);
const events: fc.Arbitrary<SpanEvent[]> = fc.array(fc.record({ name: eventName, timeUnixNano: time, attributes }), {
  maxLength: 3,
});
const spanId = fc.constantFrom('1', '2', '3', '4').map(spanIdOf);
const traceId = fc.constantFrom('1', '2').map(traceIdOf);

const spans: fc.Arbitrary<StoredSpan[]> = fc.array(
  fc
    .record({
      traceId,
      spanId,
      parentSpanId: fc.option(spanId, { nil: undefined }),
      attributes,
      events,
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      statusCode: fc.constantFrom(0, 1, 2, 9),
    })
    .map(({ parentSpanId, ...fields }) => ({
      ...span({ id: '1', at: [0, 1] }),
      ...fields,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
    })),
  { maxLength: 6 },
);
const logs: fc.Arbitrary<LogRecord[]> = fc.array(
  fc.record({ traceId, spanId, eventName, timeUnixNano: time, attributes, body: value }),
  { maxLength: 4 },
);

describe('hostile telemetry', () => {
  it('never makes reading throw', () => {
    fc.assert(
      fc.property(spans, logs, (given, records) => {
        for (const one of given) {
          spanFacts(one, one.resource, one.scopeName);
          readSpan(one, records);
        }
      }),
      { numRuns: RUNS },
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('never makes assembly throw, whose result keeps its schema and does not depend on order or repeats', () => {
    fc.assert(
      fc.property(spans, logs, (given, records) => {
        const assembly = assembleConversation({ spans: given, logs: records });
        for (const message of assembly.messages) ConversationMessage.parse(message);
        for (const score of assembly.scores) Score.parse(score);
        const again = assembleConversation({
          spans: [...given, ...given].reverse(),
          logs: [...records, ...records].reverse(),
        });
        expect(again).toEqual(assembly);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('large telemetry', () => {
  it('with a message at the highest index is read at once', () => {
    const beforeMs = processorTimeMs();
    const { input } = readSpan(
      span({
        id: '1',
        at: [0, 1],
        attributes: { 'gen_ai.prompt.999999999.content': 'far', 'gen_ai.prompt.999999999.role': 'user' },
      }),
    );
    expect(input).toEqual([{ role: 'user', content: 'far' }]);
    expect(processorTimeMs() - beforeMs).toBeLessThan(1_000);
  });

  it('of JSON without a bottom is text', () => {
    const bottomless = deep(200_000);
    const { input } = readSpan(
      span({
        id: '1',
        at: [0, 1],
        attributes: {
          'gen_ai.prompt.0.role': 'assistant',
          'gen_ai.prompt.0.tool_calls.0.name': 'f',
          'gen_ai.prompt.0.tool_calls.0.arguments': bottomless,
        },
      }),
    );
    expect(input[0]?.toolCalls?.[0]?.arguments).toBe(bottomless);
  });
});
