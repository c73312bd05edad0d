import type { PlannedMessage } from './conversation-plan.ts';
import type { EncodedAttributes, ScriptedConversation } from './scripted-conversation.ts';
import {
  argumentsText,
  attributesOf,
  chatMessage,
  exceptionEvent,
  finishReasonOf,
  INTERNAL,
  questionText,
  tokensOf,
  toolCallIdOf,
  type DialectEncoder,
} from './span-body.ts';

function identity(script: ScriptedConversation): EncodedAttributes {
  return attributesOf({ 'session.id': script.conversationId, 'user.id': script.userId });
}

function flattened(list: string, messages: readonly PlannedMessage[]): EncodedAttributes {
  const attributes: EncodedAttributes = {};
  messages.forEach((message, index) => {
    const prefix = `${list}.${index}.message`;
    attributes[`${prefix}.role`] = message.role;
    attributes[`${prefix}.content`] = message.content;
    if (message.name !== undefined) attributes[`${prefix}.name`] = message.name;
    const id = message.role === 'tool' ? toolCallIdOf(message) : undefined;
    if (id !== undefined) attributes[`${prefix}.tool_call_id`] = id;
    message.toolCalls?.forEach((call, position) => {
      const callPrefix = `${prefix}.tool_calls.${position}.tool_call`;
      attributes[`${callPrefix}.id`] = call.id;
      attributes[`${callPrefix}.function.name`] = call.name;
      attributes[`${callPrefix}.function.arguments`] = argumentsText(call.arguments);
    });
  });
  return attributes;
}

function tools(script: ScriptedConversation): EncodedAttributes {
  const entries = (script.tools ?? []).map((tool, index) => [
    `llm.tools.${index}.tool.json_schema`,
    JSON.stringify({ type: 'function', function: tool }),
  ]);
  return Object.fromEntries(entries) as EncodedAttributes;
}

/** Encoder of OpenInference, as its OpenAI and agent instrumentations emit it: tools have no call id. */
export const openInferenceEncoder: DialectEncoder = {
  scopeName: 'openinference.instrumentation.openai',
  turn: (script, { question, answer }) => ({
    name: `${script.agent ?? 'agent'}.run`,
    kind: INTERNAL,
    attributes: attributesOf({
      ...identity(script),
      'openinference.span.kind': 'AGENT',
      'agent.name': script.agent,
      'input.value': questionText(question),
      'output.value': answer?.content,
    }),
  }),
  call: (script, { system, input, output }) => ({
    name: 'ChatCompletion',
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'openinference.span.kind': 'LLM',
        'llm.system': 'openai',
        'llm.model_name': script.model,
        'llm.finish_reason': output === undefined ? undefined : finishReasonOf(output),
        'llm.token_count.prompt': tokensOf([...system, ...input]),
        'llm.token_count.completion': output === undefined ? undefined : tokensOf([output]),
        'input.value': JSON.stringify({ model: script.model, messages: [...system, ...input].map(chatMessage) }),
        'input.mime_type': 'application/json',
      }),
      ...flattened('llm.input_messages', [...system, ...input]),
      ...(output === undefined ? {} : flattened('llm.output_messages', [output])),
      ...tools(script),
    },
  }),
  tool: (script, { call, result }) => ({
    name: call.name,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'openinference.span.kind': 'TOOL',
        'tool.name': call.name,
        'input.value': JSON.stringify(call.arguments),
        'input.mime_type': 'application/json',
        'output.value': result.isError === true ? undefined : result.content,
        'output.mime_type': result.isError === true ? undefined : 'text/plain',
      }),
    },
    events: exceptionEvent(result),
  }),
};
