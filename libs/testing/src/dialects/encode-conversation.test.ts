import { describe, expect, it } from '@jest/globals';
import { TelemetryGroup } from '@clew/contracts';
import {
  CONTENT_MODES,
  DIALECTS,
  encodeConversation,
  toOtlpJson,
  toOtlpLogsJson,
  toTelemetryGroups,
  type EncodeOptions,
  type ScriptedConversation,
} from './index.ts';

const script: ScriptedConversation = {
  conversationId: 'chat-1',
  agent: 'concierge',
  model: 'gpt-4o',
  userId: 'user-1',
  tools: [{ name: 'search', description: 'Finds flights', parameters: { type: 'object' } }],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Find a flight' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'search', arguments: { to: 'Rome' } }] },
    { role: 'tool', content: 'no connection', toolCallId: 'c1', isError: true, afterMs: 700 },
    { role: 'assistant', content: 'I could not search.' },
    { role: 'user', content: 'Thanks' },
  ],
};
const options: EncodeOptions = { dialect: 'genai', startMs: 1_700_000_000_000, idSeed: 'seed' };
const byName = (encoded: ReturnType<typeof encodeConversation>) => encoded.spans.map(({ name }) => name);

describe('an encoded conversation', () => {
  it.each(DIALECTS)('in %s has valid ids, times and groups', (dialect) => {
    for (const content of CONTENT_MODES) {
      const encoded = encodeConversation(script, { ...options, dialect, content });
      for (const group of toTelemetryGroups(encoded)) expect(TelemetryGroup.parse(group)).toEqual(group);
      for (const span of encoded.spans) expect(span.endTimeMs).toBeGreaterThanOrEqual(span.startTimeMs);
      expect(new Set(encoded.spans.map(({ spanId }) => spanId)).size).toBe(encoded.spans.length);
    }
  });

  it('is the same for the same script and options, with other ids for another seed', () => {
    expect(encodeConversation(script, options)).toEqual(encodeConversation(script, options));
    const other = encodeConversation(script, { ...options, idSeed: 'other' });
    expect(other.spans[0]?.traceId).not.toBe(encodeConversation(script, options).spans[0]?.traceId);
  });

  it('has a trace for each turn, or one for all', () => {
    const traces = (kind: 'one-per-turn' | 'single') =>
      new Set(encodeConversation(script, { ...options, traces: kind }).spans.map(({ traceId }) => traceId)).size;
    expect([traces('one-per-turn'), traces('single')]).toEqual([2, 1]);
  });

  it('has a span for each turn, each answer and each tool run, and one for what was asked last', () => {
    const turn = ['invoke_agent concierge', 'chat gpt-4o'];
    expect(byName(encodeConversation(script, options))).toEqual([
      ...turn,
      'chat gpt-4o',
      'execute_tool search',
      ...turn,
    ]);
    expect(byName(encodeConversation(script, { ...options, toolSpans: false }))).toEqual([
      ...turn,
      'chat gpt-4o',
      ...turn,
    ]);
  });

  it('repeats the history in every call, or sends only what is new', () => {
    const inputs = (history: 'full' | 'incremental') =>
      encodeConversation(script, { ...options, history })
        .spans.filter(({ name }) => name.startsWith('chat'))
        .map(({ attributes }) => (JSON.parse(String(attributes['gen_ai.input.messages'])) as unknown[]).length);
    expect(inputs('full')).toEqual([1, 3, 5]);
    expect(inputs('incremental')).toEqual([1, 1, 1]);
  });

  it('takes as long as the script says, and marks a tool that failed', () => {
    const tool = encodeConversation(script, options).spans.find(({ name }) => name === 'execute_tool search');
    expect(tool).toMatchObject({ status: { code: 2, message: 'no connection' }, events: [{ name: 'exception' }] });
    expect((tool?.endTimeMs ?? 0) - (tool?.startTimeMs ?? 0)).toBe(700);
  });

  it('is an OTLP request', () => {
    const encoded = encodeConversation(script, { ...options, content: 'details' });
    expect(toOtlpJson(encoded)).toMatchObject({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: expect.arrayContaining([
                expect.objectContaining({ startTimeUnixNano: expect.stringMatching(/^\d{19}$/) as unknown }),
              ]) as unknown,
            },
          ],
        },
      ],
    });
    expect(toOtlpLogsJson(encoded)).toMatchObject({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: expect.arrayContaining([
                expect.objectContaining({ eventName: 'gen_ai.client.inference.operation.details' }),
              ]) as unknown,
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(toOtlpJson(encoded))).toContain(
      '{"key":"gen_ai.usage.input_tokens","value":{"intValue":"6"}}',
    );
  });
});
