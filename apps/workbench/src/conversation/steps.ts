import type { Api } from '@clew/sdk';

/** Line of the timeline: a message, and where its time lies in the whole. */
export interface Step {
  readonly index: number;
  readonly label: string;
  readonly kind: 'user' | 'model' | 'tool' | 'system';
  /** Begin and length as shares of the conversation. */
  readonly start: number;
  readonly length: number;
  readonly durationMs: number | undefined;
  readonly hasFailed: boolean;
}

/** Steps of a conversation on a line of time. A message stands at its end, so its duration lies before it. */
export function stepsOf(messages: readonly Api.ConversationMessage[]): Step[] {
  const begins = messages.map(({ atMs, durationMs = 0 }) => atMs - durationMs);
  const startMs = Math.min(...begins);
  const lengthMs = Math.max(1, Math.max(...messages.map(({ atMs }) => atMs)) - startMs);
  return messages.map((message, at) => ({
    index: message.index,
    label: labelOf(message),
    kind: KINDS[message.role],
    start: ((begins[at] ?? startMs) - startMs) / lengthMs,
    length: (message.durationMs ?? 0) / lengthMs,
    durationMs: message.durationMs,
    hasFailed: message.error !== undefined,
  }));
}

const KINDS = { user: 'user', assistant: 'model', tool: 'tool', system: 'system' } as const;
const LABEL = 120;

function labelOf({ role, name, toolCalls, content }: Api.ConversationMessage): string {
  const calls = (toolCalls ?? []).map((call) => `${call.name}()`).join(', ');
  const words = content.slice(0, LABEL).replaceAll('\n', ' ');
  return [role === 'tool' ? (name ?? 'tool') : name, calls, words].filter(Boolean).join(' · ');
}
