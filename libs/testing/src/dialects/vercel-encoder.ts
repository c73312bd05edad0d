import type { PlannedMessage } from './conversation-plan.ts';
import type { EncodedAttributes, ScriptedConversation } from './scripted-conversation.ts';
import {
  attributesOf,
  exceptionEvent,
  finishReasonOf,
  INTERNAL,
  tokensOf,
  toolCallIdOf,
  type DialectEncoder,
} from './span-body.ts';

function base(script: ScriptedConversation, operation: string): EncodedAttributes {
  return attributesOf({
    'operation.name': script.agent === undefined ? operation : `${operation} ${script.agent}`,
    'ai.operationId': operation,
    'resource.name': script.agent,
    'ai.telemetry.functionId': script.agent,
    'ai.telemetry.metadata.sessionId': script.conversationId,
    'ai.telemetry.metadata.userId': script.userId,
    'ai.model.id': script.model,
    'ai.model.provider': 'openai.chat',
  });
}

/** Encodes a message of the SDK's prompt: text, calls and results are parts. */
function promptMessage(message: PlannedMessage): Record<string, unknown> {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'tool') {
    const output = { type: message.isError === true ? 'error-text' : 'text', value: message.content };
    const toolName = message.name ?? message.answers?.name ?? '';
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: toolCallIdOf(message), toolName, output }] };
  }
  const calls = (message.toolCalls ?? []).map((call) => ({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  }));
  const isSilent = message.content === '' && calls.length > 0;
  return { role: message.role, content: [...(isSilent ? [] : [{ type: 'text', text: message.content }]), ...calls] };
}

function responseOf(output: PlannedMessage | undefined): EncodedAttributes {
  if (output === undefined) return {};
  const calls = output.toolCalls?.map((call) => ({ toolCallId: call.id, toolName: call.name, input: call.arguments }));
  return attributesOf({
    'ai.response.finishReason': finishReasonOf(output).replaceAll('_', '-'),
    'ai.response.text': output.content,
    'ai.response.toolCalls': calls === undefined ? undefined : JSON.stringify(calls),
  });
}

/**
 * Encoder of the Vercel AI SDK: `ai.generateText` around its `doGenerate` calls and `ai.toolCall` runs, all structure
 * as JSON text.
 */
export const vercelEncoder: DialectEncoder = {
  scopeName: 'ai',
  turn: (script, { question, answer }) => ({
    name: 'ai.generateText',
    kind: INTERNAL,
    attributes: {
      ...base(script, 'ai.generateText'),
      'ai.prompt': JSON.stringify({ messages: question.map(({ role, content }) => ({ role, content })) }),
      ...responseOf(answer),
    },
  }),
  call: (script, { system, input, output }) => ({
    name: 'ai.generateText.doGenerate',
    kind: INTERNAL,
    attributes: {
      ...base(script, 'ai.generateText.doGenerate'),
      ...attributesOf({
        'gen_ai.system': 'openai.chat',
        'gen_ai.request.model': script.model,
        'ai.prompt.messages': JSON.stringify([...system, ...input].map(promptMessage)),
        'ai.prompt.tools': script.tools?.map(({ name, description, parameters }) =>
          JSON.stringify({ type: 'function', name, description, inputSchema: parameters }),
        ),
        'ai.usage.inputTokens': tokensOf([...system, ...input]),
        'ai.usage.outputTokens': output === undefined ? undefined : tokensOf([output]),
      }),
      ...responseOf(output),
    },
  }),
  tool: (script, { call, result }) => ({
    name: 'ai.toolCall',
    kind: INTERNAL,
    attributes: {
      ...base(script, 'ai.toolCall'),
      ...attributesOf({
        'ai.toolCall.name': call.name,
        'ai.toolCall.id': call.id,
        'ai.toolCall.args': JSON.stringify(call.arguments),
        'ai.toolCall.result': result.isError === true ? undefined : JSON.stringify(result.content),
      }),
    },
    events: exceptionEvent(result),
  }),
};
