import type { PlannedCall, PlannedMessage } from './conversation-plan.ts';
import { genAiEvents } from './genai-event-encoder.ts';
import type { ContentMode, EncodedAttributes, ScriptedConversation } from './scripted-conversation.ts';
import {
  attributesOf,
  CLIENT,
  exceptionEvent,
  finishReasonOf,
  INTERNAL,
  tokensOf,
  toolCallIdOf,
  type DialectEncoder,
  type SpanBody,
} from './span-body.ts';

function identity(script: ScriptedConversation): EncodedAttributes {
  return attributesOf({
    'gen_ai.conversation.id': script.conversationId,
    'user.id': script.userId,
    'gen_ai.agent.name': script.agent,
    'gen_ai.provider.name': 'openai',
  });
}

function partsOf(message: PlannedMessage): unknown[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_call_response', id: toolCallIdOf(message) ?? null, response: message.content }];
  }
  const calls = message.toolCalls ?? [];
  return [
    ...(message.content === '' && calls.length > 0 ? [] : [{ type: 'text', content: message.content }]),
    ...calls.map((call) => ({ type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments })),
  ];
}

function messageOf(message: PlannedMessage): Record<string, unknown> {
  return { role: message.role, parts: partsOf(message), ...(message.name === undefined ? {} : { name: message.name }) };
}

/** Content of a call under the names that spans and events share. */
function contentOf(script: ScriptedConversation, call: PlannedCall): Record<string, unknown> {
  return {
    ...(call.system.length === 0
      ? {}
      : { 'gen_ai.system_instructions': call.system.map(({ content }) => ({ type: 'text', content })) }),
    'gen_ai.input.messages': call.input.map(messageOf),
    ...(call.output === undefined
      ? {}
      : { 'gen_ai.output.messages': [{ ...messageOf(call.output), finish_reason: finishReasonOf(call.output) }] }),
    ...(script.tools === undefined
      ? {}
      : { 'gen_ai.tool.definitions': script.tools.map((tool) => ({ type: 'function', ...tool })) }),
  };
}

function asJson(values: Record<string, unknown>): EncodedAttributes {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

function encodeCall(script: ScriptedConversation, call: PlannedCall, content: ContentMode): SpanBody {
  const said = contentOf(script, call);
  const { output } = call;
  const details = {
    eventName: 'gen_ai.client.inference.operation.details',
    attributes: said,
    body: null,
    atMs: call.endMs,
  };
  const events = genAiEvents(call);
  return {
    name: `chat ${script.model}`,
    kind: CLIENT,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': script.model,
        'gen_ai.usage.input_tokens': tokensOf([...call.system, ...call.input]),
        'gen_ai.usage.output_tokens': output === undefined ? undefined : tokensOf([output]),
        'gen_ai.response.finish_reasons': output === undefined ? undefined : [finishReasonOf(output)],
      }),
      ...(content === 'attributes' ? asJson(said) : {}),
    },
    ...(content === 'span-events' ? { events: events.onSpan } : {}),
    ...(content === 'logs' ? { logs: events.asLogs } : content === 'details' ? { logs: [details] } : {}),
  };
}

/** Quotes a text that is itself a JSON string, because readers remove the quotes. */
function resultText(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? JSON.stringify(text) : text;
}

/** Encoder of the OpenTelemetry GenAI conventions. */
export const genAiEncoder: DialectEncoder = {
  scopeName: 'opentelemetry.instrumentation.openai_v2',
  turn: (script, { question, answer }) => ({
    name: `invoke_agent ${script.agent ?? 'assistant'}`,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      'gen_ai.operation.name': 'invoke_agent',
      ...asJson({
        'gen_ai.input.messages': question.map(messageOf),
        ...(answer === undefined ? {} : { 'gen_ai.output.messages': [messageOf(answer)] }),
      }),
    },
  }),
  call: encodeCall,
  tool: (script, { call, result }) => ({
    name: `execute_tool ${call.name}`,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.name,
        'gen_ai.tool.call.id': call.id,
        'gen_ai.tool.call.arguments': JSON.stringify(call.arguments),
        'gen_ai.tool.call.result': result.isError === true ? undefined : resultText(result.content),
        'error.type': result.isError === true ? 'ToolError' : undefined,
      }),
    },
    events: exceptionEvent(result),
  }),
};
