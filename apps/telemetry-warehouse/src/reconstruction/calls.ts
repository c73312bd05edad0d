import type { LogRecord } from '@clew/contracts';
import { readSpan, type SpanReading } from '../dialects/index.ts';
import type { MessageTable, Said } from './message-table.ts';
import type { SpanNode } from './span-index.ts';

/** One call of a model (or a whole agent run of which no call was recorded): what went in and what came out. */
export interface ModelCall {
  node: SpanNode;
  reading: CallReading;
  agentName: string | undefined;
  /** The instructions: given apart, or leading the messages. */
  system: Said[];
  /** The messages after them. */
  body: Said[];
  output: Said[];
  hasInput: boolean;
}

export type CallReading = Omit<SpanReading, 'system' | 'input' | 'output'>;

export interface SpansRead {
  calls: ModelCall[];
  tools: { node: SpanNode; reading: CallReading }[];
  /** The readings of all spans that were read, for what does not depend on messages. */
  readings: { node: SpanNode; reading: CallReading }[];
}

interface Inner {
  hasInput: boolean;
  hasOutput: boolean;
}

/**
 * Reads the spans and finds the calls that count. A span around other calls (a framework's around a provider's, an
 * agent's around its calls) only repeats what these say, so it counts for what none of them recorded. What runs
 * inside a tool belongs to the tool, not to the call that the tool runs in.
 */
export function readCalls(nodes: readonly SpanNode[], table: MessageTable): SpansRead {
  const innerOf = new Map<SpanNode, Inner>();
  const result: SpansRead = { calls: [], tools: [], readings: [] };
  const agentNames = new Map<SpanNode, string | undefined>();
  const held: ModelCall[] = [];
  const read = (node: SpanNode): ModelCall => {
    const { reading, call } = readCall(node, node.logs, table);
    result.readings.push({ node, reading });
    return { ...call, agentName: reading.agentName ?? agentNameOf(node, agentNames) };
  };
  for (const node of nodes) {
    if (kindOf(node) === 'model_call') {
      const call = read(node);
      held.push(call);
      markAround(node, { hasInput: call.hasInput, hasOutput: call.output.length > 0 }, innerOf);
    } else if (kindOf(node) === 'tool_call') {
      result.tools.push({ node, reading: read(node).reading });
    } else if (kindOf(node) === 'none' && hasEvents(node)) read(node);
  }
  const agents = nodes.filter((node) => kindOf(node) === 'agent').map(read);
  const runs = nodes.filter((node) => kindOf(node) === 'run');
  result.calls = [...held, ...agents].flatMap((call) => withoutRepeats(call, innerOf.get(call.node)));
  for (const { node } of result.calls) markAround(node, { hasInput: true, hasOutput: true }, innerOf);
  result.calls.push(...runs.map(read).flatMap((call) => withoutRepeats(call, innerOf.get(call.node))));
  return result;
}

/** Evaluations are recorded on any kind of span. */
function hasEvents({ span, logs }: SpanNode): boolean {
  return logs.length > 0 || span.events.some((event) => event.name.startsWith('gen_ai.'));
}

/** Outermost spans that are no agents (a chain, a request handler) may hold the content of a whole run. */
function kindOf(node: SpanNode): 'model_call' | 'tool_call' | 'agent' | 'run' | 'none' {
  const { kind } = node.facts;
  if (kind === 'model_call' || kind === 'tool_call' || kind === 'agent') return kind;
  if (kind === 'other' && node.logs.length > 0) return 'model_call';
  return kind === 'other' && node.parent === undefined ? 'run' : 'none';
}

function readCall(node: SpanNode, logs: readonly LogRecord[], table: MessageTable) {
  const { system, input, output, ...reading } = readSpan(node.span, logs);
  const firstOther = input.findIndex((message) => message.role !== 'system');
  const lead = firstOther === -1 ? input.length : firstOther;
  const given = system.map((message) => table.intern(message));
  const known = new Set(given.map(({ symbol }) => symbol));
  const leading = input.slice(0, lead).map((message) => table.intern(message));
  const call = {
    node,
    reading,
    // Some instrumentations give the instructions twice: apart, and again as the first messages.
    system: [...given, ...leading.filter(({ symbol }) => !known.has(symbol))],
    body: input.slice(lead).map((message) => table.intern(message)),
    output: output.map((message) => table.intern(message)),
    hasInput: reading.hasInput || system.length > 0,
  };
  return { reading, call };
}

/** Tells the spans around a call that it recorded its content; stops where they know, or where a tool runs the call. */
function markAround(node: SpanNode, inner: Inner, innerOf: Map<SpanNode, Inner>): void {
  if (!inner.hasInput && !inner.hasOutput) return;
  for (let around = node.parent; around !== undefined && around.facts.kind !== 'tool_call'; around = around.parent) {
    const known = innerOf.get(around) ?? { hasInput: false, hasOutput: false };
    const merged = { hasInput: known.hasInput || inner.hasInput, hasOutput: known.hasOutput || inner.hasOutput };
    if (merged.hasInput === known.hasInput && merged.hasOutput === known.hasOutput) return;
    innerOf.set(around, merged);
  }
}

function withoutRepeats(call: ModelCall, inner: Inner | undefined): ModelCall[] {
  const left = {
    ...call,
    ...(inner?.hasInput ? { system: [], body: [], hasInput: false } : {}),
    ...(inner?.hasOutput ? { output: [] } : {}),
  };
  const hasContent = left.hasInput || left.output.length > 0;
  return hasContent ? [left] : [];
}

/** The agent that a span works for: the nearest around it that has a name. */
function agentNameOf(node: SpanNode, known: Map<SpanNode, string | undefined>): string | undefined {
  const path: SpanNode[] = [];
  let current: SpanNode | undefined = node;
  let name: string | undefined;
  while (current !== undefined && name === undefined && !known.has(current)) {
    known.set(current, undefined);
    path.push(current);
    name = current.facts.agentName;
    current = current.parent;
  }
  if (name === undefined && current !== undefined) name = known.get(current);
  for (const item of path) known.set(item, name);
  return name;
}
