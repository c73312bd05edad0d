import type { Api } from '@clew/sdk';
import type { Comparable } from '../examples/example-changes.ts';
import { tagsOf } from '../examples/tags.ts';
import type { ExampleDraft, MessageDraft, OutputDraft } from './example-draft.ts';

/** Content of a draft, or why it cannot be saved, by field. */
export type DraftResult =
  | { readonly isFine: true; readonly content: Comparable }
  | { readonly isFine: false; readonly problems: ReadonlyMap<string, string> };

class Problems extends Map<string, string> {
  /** Parses JSON; what is none is noted. */
  json(path: string, text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.set(path, 'must be JSON');
      return undefined;
    }
  }

  filled(path: string, text: string): string {
    if (text === '') this.set(path, 'must not be empty');
    return text;
  }
}

/** Reads a draft. */
export function contentOf(draft: ExampleDraft): DraftResult {
  const problems = new Problems();
  const input = inputOf(draft.input, problems);
  const expectedOutput = outputOf('expectedOutput', draft.expected, problems);
  const rejectedOutput = outputOf('rejectedOutput', draft.rejected, problems);
  const rubric = rubricOf(draft, problems);
  if (problems.size > 0) return { isFine: false, problems };
  const payload: Api.ExamplePayload = {
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
    input,
    ...(rejectedOutput === undefined ? {} : { rejectedOutput }),
    ...(rubric === undefined ? {} : { rubric }),
  };
  return { isFine: true, content: { payload, tags: tagsOf(draft.tags), source: draft.source } };
}

function inputOf(input: ExampleDraft['input'], problems: Problems): Api.ExampleInput {
  const { type, messages, tools, parallelToolCalls, main, side } = input;
  switch (type) {
    case 'chat': {
      if (messages.length === 0) problems.set('input.messages', 'must hold at least one message');
      const offered = tools.trim() === '' ? undefined : problems.json('input.tools', tools);
      if (offered !== undefined && !Array.isArray(offered)) problems.set('input.tools', 'must be a list');
      return {
        messages: messages.map((message, at) => messageOf(`input.messages.${at}`, message, problems)),
        ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
        ...(offered === undefined ? {} : { tools: offered as Record<string, unknown>[] }),
        type,
      };
    }
    case 'prompt':
      return { prompt: problems.filled('input.prompt', main), ...(side === undefined ? {} : { system: side }), type };
    case 'instruction':
      return {
        ...(side === undefined ? {} : { context: side }),
        instruction: problems.filled('input.instruction', main),
        type,
      };
    case 'text':
      return { text: main, type };
    case 'json':
      return { type, value: problems.json('input.value', main) };
  }
}

function outputOf(path: string, output: OutputDraft, problems: Problems): Api.ExampleOutput | undefined {
  const { type, message, text } = output;
  switch (type) {
    case 'none':
      return undefined;
    case 'chat_message': {
      const { content, name, toolCalls } = messageOf(`${path}.message`, { ...message, toolCallId: '' }, problems);
      const optional = { ...(name === undefined ? {} : { name }), ...(toolCalls === undefined ? {} : { toolCalls }) };
      return { message: { content, role: 'assistant', ...optional }, type };
    }
    case 'text':
      return { text, type };
    case 'classification':
      return { label: problems.filled(`${path}.label`, text), type };
    case 'json':
      return { type, value: problems.json(`${path}.value`, text) };
  }
}

function messageOf(path: string, message: MessageDraft, problems: Problems): Api.ExampleMessage {
  const { role, content, hasParts, name, toolCallId, toolCalls } = message;
  const calls = toolCalls.map((call, at) => ({
    arguments: call.isText
      ? call.arguments
      : problems.json(`${path}.toolCalls.${at}.arguments`, call.arguments.trim() === '' ? '{}' : call.arguments),
    ...(call.id === '' ? {} : { id: call.id }),
    name: problems.filled(`${path}.toolCalls.${at}.name`, call.name),
  }));
  const parts = hasParts ? problems.json(`${path}.content`, content) : undefined;
  return {
    content: hasParts
      ? (parts as Api.ExampleMessage['content'])
      : // A message that only calls tools has no words.
        content === '' && calls.length > 0
        ? null
        : content,
    ...(name === '' ? {} : { name }),
    role,
    ...(toolCallId === '' ? {} : { toolCallId }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

function rubricOf(draft: ExampleDraft, problems: Problems): Api.ExampleRubric | undefined {
  const { criteria, hasList, scoring } = draft;
  const lines = criteria
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 && scoring.length === 0) return undefined;
  if (lines.length === 0) problems.set('rubric.criteria', 'must not be empty where there are scores');
  const scores = scoring.map(({ label, score, description }, at) => {
    if (score.trim() === '' || !Number.isFinite(Number(score))) {
      problems.set(`rubric.scoring.${at}.score`, 'must be a number');
    }
    return {
      ...(description.trim() === '' ? {} : { description }),
      label: problems.filled(`rubric.scoring.${at}.label`, label),
      score: Number(score),
    };
  });
  return {
    criteria: hasList ? lines : criteria.trim(),
    ...(scores.length === 0 ? {} : { scoring: scores }),
  };
}

/** Members that differ, as a change of the API; undefined where none does. */
export function changeBetween(before: Comparable, after: Comparable): Api.UpdateExampleData['body'] | undefined {
  const differs = (name: keyof Comparable) => canonical(before[name]) !== canonical(after[name]);
  const change = {
    ...(differs('payload') ? { payload: after.payload } : {}),
    ...(differs('tags') ? { tags: after.tags } : {}),
    ...(differs('source') ? { source: after.source as Api.ExampleSource } : {}),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** JSON with the members of objects in order, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Text of an Example for the JSON view. */
export function jsonOf({ payload, tags, source }: Comparable): string {
  return JSON.stringify({ payload, tags, source }, null, 2);
}

/** Reads the text of the JSON view; the API checks what it holds. */
export function contentOfJson(text: string): DraftResult {
  const refuse = (problem: string): DraftResult => ({ isFine: false, problems: new Map([['json', problem]]) });
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'is not JSON');
  }
  if (typeof value !== 'object' || value === null) return refuse('must be an object');
  const { payload, tags, source, ...others } = value as Partial<Comparable>;
  const [other] = Object.keys(others);
  if (other !== undefined) return refuse(`has a member that means nothing here: ${other}`);
  if (!isExamplePayload(payload)) return refuse('needs a payload with an input of a known type');
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) return refuse('needs a list of tags');
  if (typeof source !== 'object') return refuse('needs a source');
  return { isFine: true, content: { payload, tags, source } };
}

const INPUT_TYPES = ['chat', 'prompt', 'instruction', 'text', 'json'];

function isExamplePayload(value: unknown): value is Api.ExamplePayload {
  const { input } = (value ?? {}) as { input?: { type?: unknown; messages?: unknown } | null };
  if (typeof input !== 'object' || input === null || !INPUT_TYPES.includes(String(input.type))) return false;
  return input.type !== 'chat' || Array.isArray(input.messages);
}
