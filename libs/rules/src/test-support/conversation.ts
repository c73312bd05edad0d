import type {
  ConversationMessage,
  ConversationSnapshot,
  Detection,
  RuleConfiguration,
  ToolCall,
} from '@clew/contracts';
import { evaluateRule } from '../evaluate-rule.ts';
import type { RuleDefinition } from '../rule.ts';

/** Message without the fields that a snapshot adds: index, time, trace and span. */
export type ScriptedMessage = Omit<ConversationMessage, 'index' | 'traceId' | 'spanId' | 'atMs'> & { afterMs?: number };

const STEP_MS = 2000;

export function user(content: string, extra: Partial<ScriptedMessage> = {}): ScriptedMessage {
  return { role: 'user', content, ...extra };
}

export function assistant(content: string, extra: Partial<ScriptedMessage> = {}): ScriptedMessage {
  return { role: 'assistant', content, finishReason: 'stop', ...extra };
}

/** Builds a call and its result; the call's id is derived from its place in the script. */
export function called(tool: string, args: unknown, result: unknown): ScriptedMessage[] {
  return [calls({ name: tool, arguments: args }), { role: 'tool', name: tool, content: textOf(result) }];
}

/** Builds a call that the tool's span reports as failed. */
export function failed(tool: string, args: unknown, message: string, content = message): ScriptedMessage[] {
  return [
    calls({ name: tool, arguments: args }),
    { role: 'tool', name: tool, content, error: { type: 'tool_error', message } },
  ];
}

export function calls(...toolCalls: ToolCall[]): ScriptedMessage {
  return { role: 'assistant', content: '', toolCalls, finishReason: 'tool_calls' };
}

export function repeated(count: number, make: (round: number) => ScriptedMessage[]): ScriptedMessage[] {
  return Array.from({ length: count }, (_, round) => make(round)).flat();
}

/** Builds a snapshot of the scripted messages; every message has its own span in one trace. */
export function conversation(
  script: readonly (ScriptedMessage | ScriptedMessage[])[],
  overrides: Partial<ConversationSnapshot> = {},
): ConversationSnapshot {
  const startedAt = 1_790_000_000_000;
  let atMs = startedAt;
  const messages = script.flat().map(({ afterMs, ...message }, index): ConversationMessage => {
    atMs += afterMs ?? STEP_MS;
    const spanId = (index + 1).toString(16).padStart(16, '0');
    return { ...message, index, traceId: 'a'.repeat(32), spanId, atMs };
  });
  return {
    snapshotId: 'cesr_00000000000000000000000000',
    projectId: 'prj_00000000000000000000000000',
    conversationId: 'conversation-1',
    contentHash: 'hash',
    revision: 1,
    scope: 'conversation',
    startedAt,
    throughMs: atMs,
    agents: ['assistant'],
    models: ['model'],
    userId: null,
    truncated: false,
    messages,
    tools: [],
    scores: [],
    ...overrides,
  };
}

/** Runs a Rule with its default settings, or with some of them changed. */
export function detect(
  rule: RuleDefinition,
  snapshot: ConversationSnapshot,
  configuration: Partial<RuleConfiguration> = {},
): Detection[] {
  return evaluateRule(rule, snapshot, { ...rule.defaultConfiguration, ...configuration });
}

/** Returns the signals that fired in the only Detection; an empty list if there is none. */
export function firedSignals(
  rule: RuleDefinition,
  script: readonly (ScriptedMessage | ScriptedMessage[])[],
  configuration: Partial<RuleConfiguration> = {},
): string[] {
  return detect(rule, conversation(script), configuration).flatMap((detection) => detection.signals);
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
