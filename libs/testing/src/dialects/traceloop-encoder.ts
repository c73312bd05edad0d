import type { PlannedMessage } from './conversation-plan.ts';
import type { EncodedAttributes, ScriptedConversation } from './scripted-conversation.ts';
import {
  argumentsText,
  attributesOf,
  CLIENT,
  exceptionEvent,
  finishReasonOf,
  INTERNAL,
  tokensOf,
  toolCallIdOf,
  type DialectEncoder,
} from './span-body.ts';

function identity(script: ScriptedConversation): EncodedAttributes {
  return attributesOf({
    'gen_ai.conversation.id': script.conversationId,
    'traceloop.association.properties.user_id': script.userId,
    'traceloop.workflow.name': script.agent ?? 'assistant',
  });
}

function flattened(list: string, messages: readonly PlannedMessage[]): EncodedAttributes {
  const attributes: EncodedAttributes = {};
  messages.forEach((message, index) => {
    const prefix = `${list}.${index}`;
    attributes[`${prefix}.role`] = message.role;
    // This instrumentation omits empty values.
    if (message.content !== '') attributes[`${prefix}.content`] = message.content;
    const id = message.role === 'tool' ? toolCallIdOf(message) : undefined;
    if (id !== undefined) attributes[`${prefix}.tool_call_id`] = id;
    message.toolCalls?.forEach((call, position) => {
      attributes[`${prefix}.tool_calls.${position}.id`] = call.id;
      attributes[`${prefix}.tool_calls.${position}.name`] = call.name;
      attributes[`${prefix}.tool_calls.${position}.arguments`] = argumentsText(call.arguments);
    });
  });
  return attributes;
}

function functions(script: ScriptedConversation): EncodedAttributes {
  const attributes: EncodedAttributes = {};
  script.tools?.forEach((tool, index) => {
    attributes[`llm.request.functions.${index}.name`] = tool.name;
    if (tool.description !== undefined) attributes[`llm.request.functions.${index}.description`] = tool.description;
    attributes[`llm.request.functions.${index}.parameters`] = JSON.stringify(tool.parameters ?? null);
  });
  return attributes;
}

/** Encodes arguments like the record of a decorated Python function's call. */
function calledWith(given: unknown): Record<string, unknown> {
  const isKeywords = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isKeywords ? { args: [], kwargs: given } : { args: [given], kwargs: {} };
}

/**
 * Encoder of Traceloop (OpenLLMetry): indexed prompt and completion attributes, workflows and tools as decorated
 * functions.
 */
export const traceloopEncoder: DialectEncoder = {
  scopeName: 'opentelemetry.instrumentation.openai.v1',
  turn: (script, { question, answer }) => ({
    name: `${script.agent ?? 'assistant'}.workflow`,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'traceloop.span.kind': script.agent === undefined ? 'workflow' : 'agent',
        'traceloop.entity.name': script.agent ?? 'assistant',
        'traceloop.entity.input': JSON.stringify({ args: question.map(({ content }) => content), kwargs: {} }),
        'traceloop.entity.output': answer === undefined ? undefined : JSON.stringify(answer.content),
      }),
    },
  }),
  call: (script, { system, input, output }) => ({
    name: 'openai.chat',
    kind: CLIENT,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.model': script.model,
        'gen_ai.usage.prompt_tokens': tokensOf([...system, ...input]),
        'gen_ai.usage.completion_tokens': output === undefined ? undefined : tokensOf([output]),
      }),
      ...flattened('gen_ai.prompt', [...system, ...input]),
      ...(output === undefined
        ? {}
        : { ...flattened('gen_ai.completion', [output]), 'gen_ai.completion.0.finish_reason': finishReasonOf(output) }),
      ...functions(script),
    },
  }),
  tool: (script, { call, result }) => ({
    name: `${call.name}.tool`,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': call.name,
        'traceloop.entity.input': JSON.stringify(calledWith(call.arguments)),
        'traceloop.entity.output': result.isError === true ? undefined : JSON.stringify(result.content),
      }),
    },
    events: exceptionEvent(result),
  }),
};
