import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedConversation, ScriptedMessage } from '@clew/testing/dialects';

/** A conversation of which it is known whether it went well, and where it went wrong. */
export interface LabelledConversation {
  script: ScriptedConversation;
  succeeded: boolean;
  /** Conversations of the same task are not independent of each other. */
  taskId: string;
  /** The index of the message that is to blame, where the data say. */
  mistakeStep: number | undefined;
  /** The agent that is to blame, where the data say. */
  mistakeAgent: string | undefined;
}

interface OpenAiMessage {
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

/** tau-bench, airline: trajectories of OpenAI-style messages; reward 1 is success. */
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

/** Who&When: failures of several agents, with the step that caused them. */
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
    // The question comes first.
    mistakeStep: Number(mistake_step) + 1,
    mistakeAgent: mistake_agent,
  }));
}

function toScripted(message: OpenAiMessage): ScriptedMessage {
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
 * All that agents say to one another is what models wrote. Some frameworks give it the role user, and a name; others
 * have the agent as the role, with what it does in brackets.
 */
function asAgentMessage({ role, content, name }: OpenAiMessage): ScriptedMessage {
  if (role === 'human' || (role === 'user' && name === undefined)) return { role: 'user', content: content ?? '' };
  return { role: 'assistant', content: content ?? '', name: name ?? role.replace(/ \(.*$/, '') };
}

const EXECUTION = /^exitcode: \d+ /;

/** Where an agent's code was run, the framework's report of it is the result of a tool. */
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

/** The code that a message asks to be run: what its fenced blocks hold. */
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

function readLines<Row>(file: string): Row[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
