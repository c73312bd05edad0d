import { describe, expect, it } from '@jest/globals';
import { conversationIdOf, spanFacts } from './span-facts.ts';
import { sketch } from './test-support/sketch.ts';

const facts = (attributes: Record<string, unknown>, name = 'span') => spanFacts(sketch(attributes, { name }), {}, '');

describe('the facts of a span', () => {
  it('name the conversation by the first key that is present', () => {
    const keys = {
      'gen_ai.conversation.id': 'a',
      'langfuse.session.id': 'b',
      'session.id': 'c',
      'ai.telemetry.metadata.sessionId': 'd',
    };
    const names = Object.keys(keys);
    const found = names.map((_, index) => conversationIdOf(Object.fromEntries(Object.entries(keys).slice(index))));
    expect(found).toEqual(['a', 'b', 'c', 'd']);
    expect(conversationIdOf({ 'session.id': 12 })).toBe('12');
    expect(conversationIdOf({})).toBeUndefined();
  });

  it('take no conversation from a name that is none', () => {
    for (const name of ['', 'a\nb', 'x'.repeat(513), {}, null, true])
      expect(conversationIdOf({ 'session.id': name })).toBeUndefined();
    expect(conversationIdOf({ 'gen_ai.conversation.id': '', 'session.id': 'b' })).toBe('b');
  });

  it.each([
    [{ 'gen_ai.operation.name': 'chat' }, 'model_call'],
    [{ 'gen_ai.operation.name': 'text_completion' }, 'model_call'],
    [{ 'gen_ai.operation.name': 'execute_tool' }, 'tool_call'],
    [{ 'gen_ai.operation.name': 'invoke_agent' }, 'agent'],
    [{ 'gen_ai.operation.name': 'embeddings' }, 'embedding'],
    [{ 'gen_ai.operation.name': 'retrieval' }, 'retrieval'],
    [{ 'gen_ai.operation.name': 'create_agent' }, 'other'],
    [{ 'openinference.span.kind': 'LLM' }, 'model_call'],
    [{ 'openinference.span.kind': 'RETRIEVER' }, 'retrieval'],
    [{ 'openinference.span.kind': 'CHAIN' }, 'other'],
    [{ 'traceloop.span.kind': 'tool' }, 'tool_call'],
    [{ 'traceloop.span.kind': 'workflow' }, 'agent'],
    [{ 'langfuse.observation.type': 'GENERATION' }, 'model_call'],
    [{ 'langfuse.observation.type': 'retriever' }, 'retrieval'],
    [{ 'ai.operationId': 'ai.generateText' }, 'agent'],
    [{ 'operation.name': 'ai.toolCall concierge' }, 'tool_call'],
    [{ 'gen_ai.request.model': 'gpt-4o' }, 'model_call'],
    [{ 'gen_ai.tool.name': 'search', 'gen_ai.request.model': 'gpt-4o' }, 'tool_call'],
    [{ 'http.request.method': 'GET' }, 'other'],
  ])('tell the kind of work of %j', (attributes, kind) => {
    expect(facts(attributes).kind).toBe(kind);
  });

  it('name the agent, the user, the model and the provider', () => {
    expect(
      facts({
        'gen_ai.agent.name': 'a',
        'user.id': 'u',
        'gen_ai.request.model': 'm',
        'gen_ai.response.model': 'm-2024',
        'gen_ai.system': 'openai',
      }),
    ).toMatchObject({
      agentName: 'a',
      userId: 'u',
      model: 'm',
      provider: 'openai',
    });
    expect(facts({ 'langfuse.observation.type': 'agent' }, 'planner').agentName).toBe('planner');
    expect(facts({ 'traceloop.span.kind': 'agent', 'traceloop.entity.name': 'planner' }).agentName).toBe('planner');
  });

  it('count tokens also where they came as text', () => {
    expect(
      facts({
        'gen_ai.usage.input_tokens': '12',
        'gen_ai.usage.output_tokens': -1,
        'gen_ai.usage.cache_read.input_tokens': 4,
      }).usage,
    ).toEqual({ inputTokens: 12, cacheReadTokens: 4 });
  });
});
