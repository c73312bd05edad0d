import type { EncodedAttributes, ScriptedConversation } from './scripted-conversation.ts';
import {
  argumentsText,
  attributesOf,
  chatMessage,
  INTERNAL,
  questionText,
  tokensOf,
  type DialectEncoder,
} from './span-body.ts';

function identity(script: ScriptedConversation): EncodedAttributes {
  return attributesOf({
    'session.id': script.conversationId,
    'user.id': script.userId,
    'langfuse.environment': 'default',
  });
}

/** Encoder of Langfuse's own SDK: one input and one output per observation, as a text or as JSON text. */
export const langfuseEncoder: DialectEncoder = {
  scopeName: 'langfuse-sdk',
  turn: (script, { question, answer }) => {
    const asked = questionText(question);
    return {
      name: script.agent ?? 'handle-message',
      kind: INTERNAL,
      attributes: {
        ...identity(script),
        ...attributesOf({
          'langfuse.observation.type': script.agent === undefined ? 'span' : 'agent',
          'langfuse.trace.name': script.agent ?? 'handle-message',
          'langfuse.trace.input': asked,
          'langfuse.trace.output': answer?.content,
          'langfuse.observation.input': asked,
          'langfuse.observation.output': answer?.content,
        }),
      },
    };
  },
  call: (script, { system, input, output }) => {
    const messages = [...system, ...input].map(chatMessage);
    const tools = script.tools?.map((tool) => ({ type: 'function', function: tool }));
    return {
      name: 'OpenAI-generation',
      kind: INTERNAL,
      attributes: {
        ...identity(script),
        ...attributesOf({
          'langfuse.observation.type': 'generation',
          'langfuse.observation.model.name': script.model,
          'langfuse.observation.input': JSON.stringify(tools === undefined ? messages : { tools, messages }),
          'langfuse.observation.output': output === undefined ? undefined : JSON.stringify(chatMessage(output)),
          'langfuse.observation.usage_details':
            output === undefined
              ? undefined
              : JSON.stringify({ input: tokensOf([...system, ...input]), output: tokensOf([output]) }),
        }),
      },
    };
  },
  tool: (script, { call, result }) => ({
    name: call.name,
    kind: INTERNAL,
    attributes: {
      ...identity(script),
      ...attributesOf({
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': argumentsText(call.arguments),
        'langfuse.observation.output': result.isError === true ? undefined : result.content,
        'langfuse.observation.level': result.isError === true ? 'ERROR' : undefined,
        'langfuse.observation.status_message': result.isError === true ? result.content : undefined,
      }),
    },
  }),
};
