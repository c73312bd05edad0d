import type { Api } from '@clew/sdk';
import type { Comparable } from '../examples/example-changes.ts';
import type { InputType } from '../imports/import-fields.ts';

export type Role = Api.ExampleMessage['role'];
export const ROLES: readonly Role[] = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Tool call as a form holds it. */
export interface CallDraft {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  /** JSON, or what stood in the place of JSON. */
  readonly arguments: string;
  /** Whether the arguments are a text and not the JSON that they may look like. */
  readonly isText: boolean;
}

/** Message as a form holds it. */
export interface MessageDraft {
  readonly key: string;
  readonly role: Role;
  /** Words, or a JSON list of parts. */
  readonly content: string;
  readonly hasParts: boolean;
  readonly name: string;
  readonly toolCallId: string;
  readonly toolCalls: readonly CallDraft[];
}

export const OUTPUT_TYPES = {
  none: 'None',
  chat_message: 'Message',
  text: 'Text',
  classification: 'Label',
  json: 'JSON',
} as const;
export type OutputType = keyof typeof OUTPUT_TYPES;
export const OUTPUT_TYPE_IDS = Object.keys(OUTPUT_TYPES) as OutputType[];

export interface OutputDraft {
  readonly type: OutputType;
  /** Message, where it is one. */
  readonly message: MessageDraft;
  /** Text, label or JSON. */
  readonly text: string;
}

export interface ScoreDraft {
  readonly key: string;
  readonly label: string;
  readonly score: string;
  readonly description: string;
}

/** Example as a form holds it. */
export interface ExampleDraft {
  readonly input: {
    readonly type: InputType;
    readonly messages: readonly MessageDraft[];
    /** JSON; empty where none were offered. */
    readonly tools: string;
    readonly parallelToolCalls: boolean | undefined;
    /** Prompt, instruction, text or JSON. */
    readonly main: string;
    /** System text or context; undefined where there is none. */
    readonly side: string | undefined;
  };
  readonly expected: OutputDraft;
  readonly rejected: OutputDraft;
  readonly criteria: string;
  /** Whether each line of the criteria is one of its own. */
  readonly hasList: boolean;
  readonly scoring: readonly ScoreDraft[];
  readonly tags: string;
  readonly source: Api.ExampleSource;
}

let lastKey = 0;

/** Key by which a form knows a message or a call while it is moved. */
export function newKey(): string {
  lastKey += 1;
  return `k${lastKey}`;
}

export function newMessage(role: Role, content = ''): MessageDraft {
  return { key: newKey(), role, content, hasParts: false, name: '', toolCallId: '', toolCalls: [] };
}

export function newCall(): CallDraft {
  return { key: newKey(), id: '', name: '', arguments: '{}', isText: false };
}

export function noOutput(): OutputDraft {
  return { type: 'none', message: newMessage('assistant'), text: '' };
}

/** Draft of an Example that is about to be written. */
export function newDraft(type: InputType): ExampleDraft {
  return {
    input: {
      type,
      messages: [newMessage('user')],
      ...{ tools: '', parallelToolCalls: undefined, main: type === 'json' ? '{}' : '', side: undefined },
    },
    expected: { ...noOutput(), type: type === 'chat' ? 'chat_message' : 'text' },
    rejected: noOutput(),
    ...{ criteria: '', hasList: true, scoring: [], tags: '' },
    source: { kind: 'manual', externalRef: 'workbench' },
  };
}

export function draftOf({ payload, tags, source }: Comparable): ExampleDraft {
  const { criteria = [], scoring = [] } = payload.rubric ?? {};
  return {
    input: inputDraft(payload.input),
    expected: outputDraft(payload.expectedOutput),
    rejected: outputDraft(payload.rejectedOutput),
    criteria: typeof criteria === 'string' ? criteria : criteria.join('\n'),
    hasList: typeof criteria !== 'string',
    scoring: scoring.map(({ label, score, description = '' }) => ({
      ...{ key: newKey(), label, score: String(score), description },
    })),
    tags: tags.join(', '),
    source: source as Api.ExampleSource,
  };
}

function inputDraft(input: Api.ExampleInput): ExampleDraft['input'] {
  const none = { messages: [], tools: '', parallelToolCalls: undefined, main: '', side: undefined };
  switch (input.type) {
    case 'chat':
      return {
        ...none,
        type: 'chat',
        messages: input.messages.map(messageDraft),
        tools: input.tools === undefined ? '' : JSON.stringify(input.tools, null, 2),
        parallelToolCalls: input.parallelToolCalls,
      };
    case 'prompt':
      return { ...none, type: 'prompt', main: input.prompt, side: input.system };
    case 'instruction':
      return { ...none, type: 'instruction', main: input.instruction, side: input.context };
    case 'text':
      return { ...none, type: 'text', main: input.text };
    case 'json':
      return { ...none, type: 'json', main: JSON.stringify(input.value, null, 2) };
  }
}

function outputDraft(output: Api.ExampleOutput | undefined): OutputDraft {
  switch (output?.type) {
    case undefined:
      return noOutput();
    case 'chat_message':
      return { ...noOutput(), type: 'chat_message', message: messageDraft(output.message) };
    case 'text':
      return { ...noOutput(), type: 'text', text: output.text };
    case 'classification':
      return { ...noOutput(), type: 'classification', text: output.label };
    case 'json':
      return { ...noOutput(), type: 'json', text: JSON.stringify(output.value, null, 2) };
  }
}

function messageDraft(message: Api.ExampleMessage): MessageDraft {
  const { role, content, name = '', toolCallId = '', toolCalls = [] } = message;
  return {
    ...{ key: newKey(), role, name, toolCallId },
    content: content === null ? '' : typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    hasParts: Array.isArray(content),
    toolCalls: toolCalls.map(({ id = '', name: called, arguments: given }) => ({
      ...{ key: newKey(), id, name: called },
      arguments: typeof given === 'string' ? given : JSON.stringify(given, null, 2),
      isText: typeof given === 'string',
    })),
  };
}
