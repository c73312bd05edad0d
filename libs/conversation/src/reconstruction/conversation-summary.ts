import type { Score, ToolDefinition } from '@clew/contracts';
import { readError, type TokenUsage } from '../dialects/index.ts';
import type { SpansRead } from './calls.ts';
import type { ModelCall } from './model-call.ts';
import { epochMs } from './conversation-messages.ts';
import { evaluatorScores } from './scores.ts';
import { byStart, nanos, type SpanNode } from './span-index.ts';

export interface ConversationSummary {
  /** Tools that were offered, each once, in its latest definition. */
  tools: ToolDefinition[];
  /** Agents in the order of their first appearance. */
  agents: string[];
  models: string[];
  userId: string | null;
  /** Sum over all calls, each counted once. */
  usage: Required<TokenUsage>;
  startedAt: number;
  lastActivityAt: number;
  /** Failures, each counted where it arose and not again in the spans around it. */
  errorCount: number;
  spanCount: number;
  /** Evaluation events among the telemetry. */
  scores: Score[];
}

/** Computes the facts of a conversation besides its messages. Expects the nodes by start time. */
export function summarize(
  nodes: readonly SpanNode[],
  read: SpansRead,
  calls: readonly ModelCall[],
): ConversationSummary {
  // Several spans that record one call count once.
  const counted = nodes.filter((node) => !read.others.has(node));
  const times = nodes.flatMap((node) => [node.startNs, node.endNs, ...node.logs.map((log) => nanos(log.timeUnixNano))]);
  const [first = 0n] = times;
  return {
    tools: offeredTools(read),
    agents: distinct(nodes.map((node) => node.facts.agentName)),
    models: distinct(counted.map((node) => node.facts.model)),
    userId: nodes.find((node) => node.facts.userId !== undefined)?.facts.userId ?? null,
    usage: totalUsage(read, calls),
    startedAt: epochMs(times.reduce((least, time) => (time < least ? time : least), first)),
    lastActivityAt: epochMs(times.reduce((greatest, time) => (time > greatest ? time : greatest), first)),
    errorCount: countErrors(counted),
    spanCount: nodes.length,
    scores: evaluatorScores(read),
  };
}

function distinct(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}

function offeredTools({ readings }: SpansRead): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const { reading } of [...readings].sort((left, right) => byStart(left.node, right.node))) {
    for (const tool of reading.toolDefinitions) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/**
 * Sums the tokens of the calls. A span around other calls sums up theirs, and the twin of a call repeats them, so only
 * calls without counted calls inside them count.
 */
function totalUsage({ readings, others }: SpansRead, calls: readonly ModelCall[]): Required<TokenUsage> {
  const counted = readings.filter(
    ({ node }) => node.facts.kind === 'model_call' && hasUsage(node.facts.usage) && !others.has(node),
  );
  const around = new Set<SpanNode>();
  for (const { node } of counted) {
    for (
      let outer = node.parent;
      outer !== undefined && outer.facts.kind !== 'tool_call' && !around.has(outer);
      outer = outer.parent
    ) {
      around.add(outer);
    }
  }
  const joined = new Set(calls.map((call) => call.node));
  const total = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  for (const { node, reading } of counted) {
    const isTwin = (reading.hasInput || reading.hasOutput) && !joined.has(node);
    if (around.has(node) || isTwin) continue;
    for (const name of Object.keys(total) as (keyof TokenUsage)[]) total[name] += node.facts.usage[name] ?? 0;
  }
  return total;
}

function hasUsage(usage: TokenUsage): boolean {
  return Object.keys(usage).length > 0;
}

/** Counts the spans in error that have no span in error below them. */
function countErrors(nodes: readonly SpanNode[]): number {
  const failed = new Set(nodes.filter((node) => readError(node.span) !== undefined));
  const passedOn = new Set([...failed].map((node) => node.parent));
  return [...failed].filter((node) => !passedOn.has(node)).length;
}
