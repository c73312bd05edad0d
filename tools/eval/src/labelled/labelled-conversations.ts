import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedConversation, ScriptedMessage } from '@clew/testing/dialects';

/** Conversation with a known outcome and, for some, the known step where it went wrong. */
export interface LabelledConversation {
  script: ScriptedConversation;
  succeeded: boolean;
  /** Task id: conversations of the same task are not independent of each other. */
  taskId: string;
  /** Index of the message to blame, if the data name it. */
  mistakeStep: number | undefined;
  /** Agent to blame, if the data name it. */
  mistakeAgent: string | undefined;
}

export interface OpenAiMessage {
  role: string;
  content: string | null;
  name?: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[] | null;
}

interface WhoAndWhenRow {
  id: string;
  question: string;
  history: OpenAiMessage[];
  mistake_step: string;
  mistake_agent: string;
}

const MODEL = 'evaluated-model';

/** Reads tau-bench, airline: trajectories of OpenAI-style messages; reward 1 means success. */
export function readTauBench(dataFolder: string): LabelledConversation[] {
  const rows = readLines<{ task_id: number; trial: number; reward: number; traj: OpenAiMessage[] }>(
    join(dataFolder, 'tau-bench-airline/trajectories.jsonl'),
  );
  return rows.map(({ task_id, trial, reward, traj }) => ({
    script: {
      conversationId: `tau-bench-${task_id}-${trial}`,
      agent: 'airline-agent',
      model: MODEL,
      messages: traj.map(toScripted),
    },
    succeeded: reward === 1,
    taskId: String(task_id),
    mistakeStep: undefined,
    mistakeAgent: undefined,
  }));
}

/** Reads Who&When: failures of several agents, with the step that caused them. */
export function readWhoAndWhen(dataFolder: string): LabelledConversation[] {
  const rows = readLines<WhoAndWhenRow>(join(dataFolder, 'who-and-when/failures.jsonl'));
  return rows.map(({ id, question, history, mistake_step, mistake_agent }) => ({
    script: {
      conversationId: `who-and-when-${id.replace('/', '-')}`,
      model: MODEL,
      messages: [{ role: 'user', content: question }, ...withExecutions(history.map(asAgentMessage))],
    },
    succeeded: false,
    taskId: question,
    // One more, because the question is inserted as the first message.
    mistakeStep: Number(mistake_step) + 1,
    mistakeAgent: mistake_agent,
  }));
}

/** Message of a script, from the form of OpenAI's chat interface. */
export function toScripted(message: OpenAiMessage): ScriptedMessage {
  const { role, content, name, tool_call_id, tool_calls } = message;
  return {
    role: role as ScriptedMessage['role'],
    content: content ?? '',
    ...(name === undefined ? {} : { name }),
    ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
    ...(tool_calls == null
      ? {}
      : {
          toolCalls: tool_calls.map((call) => ({
            id: call.id,
            name: call.function.name,
            arguments: parsedOrText(call.function.arguments),
          })),
        }),
  };
}

/**
 * Treats everything that agents say to each other as model output. Some frameworks give such a message the role user
 * and a name; others use the agent as role, with its action in parentheses.
 */
function asAgentMessage({ role, content, name }: OpenAiMessage): ScriptedMessage {
  if (role === 'human' || (role === 'user' && name === undefined)) return { role: 'user', content: content ?? '' };
  return { role: 'assistant', content: content ?? '', name: name ?? role.replace(/ \(.*$/, '') };
}

const EXECUTION = /^exitcode: \d+ /;

/** Turns a framework's report of an executed agent's code into a tool result. */
function withExecutions(messages: readonly ScriptedMessage[]): ScriptedMessage[] {
  const found: ScriptedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const before = found.at(-1);
    if (before?.role !== 'assistant' || !EXECUTION.test(message.content)) {
      found.push(message);
      continue;
    }
    const call = { id: `execution-${index}`, name: 'run_code', arguments: { code: codeIn(before.content) } };
    found.splice(-1, 1, { ...before, toolCalls: [call] });
    found.push({ role: 'tool', content: message.content, toolCallId: call.id });
  }
  return found;
}

/** Code that a message asks to run: the content of its fenced blocks. */
function codeIn(content: string): string {
  return [...content.matchAll(/```[a-z]*\n(.*?)```/gs)].map((block) => block[1] ?? '').join('\n');
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads a file of one JSON value per line; a file that does not exist holds none. */
export function readLines<Row>(file: string): Row[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
