import type { LogRecord } from '@clew/contracts';
import { isStep, lookedUpBy, readSpan } from '../dialects/index.ts';
import type { CallRecord } from './call-identity.ts';
import type { MessageTable } from './message-table.ts';
import type { CallReading, ModelCall } from './model-call.ts';
import { withoutOtherRecords } from './same-calls.ts';
import type { SpanNode } from './span-index.ts';

export interface SpansRead {
  calls: ModelCall[];
  /** True if they include a model call, a tool run or an agent, whatever was recorded of it. */
  hasSteps: boolean;
  tools: { node: SpanNode; reading: CallReading }[];
  /** All records of model calls. */
  records: readonly CallRecord[];
  /** Additional records of calls that another span records (`withoutOtherRecords`). */
  others: ReadonlySet<SpanNode>;
  /** Readings of all spans that were read, for results that do not depend on messages. */
  readings: { node: SpanNode; reading: CallReading }[];
}

/** Content recorded by the calls inside a span. */
interface Inner {
  hasInput: boolean;
  hasOutput: boolean;
  /** True if one of them failed. */
  isFailed: boolean;
}

/**
 * Reads the spans and finds the calls that count. A span around other calls (a framework's around a provider's, an
 * agent's around its calls) only repeats their content, so it counts for the parts that none of them recorded. Calls
 * inside a tool belong to the tool, not to the call around the tool.
 */
export function readCalls(nodes: readonly SpanNode[], table: MessageTable): SpansRead {
  const innerOf = new Map<SpanNode, Inner>();
  const result: SpansRead = { calls: [], hasSteps: false, tools: [], records: [], others: new Set(), readings: [] };
  const agentNames = new Map<SpanNode, string | undefined>();
  const found: ModelCall[] = [];
  const read = (node: SpanNode): ModelCall => {
    const { reading, call } = readCall(node, node.logs, table);
    result.readings.push({ node, reading });
    return { ...call, agentName: reading.agentName ?? agentNameOf(node, agentNames) };
  };
  for (const node of nodes) {
    if (kindOf(node) === 'model_call') {
      const call = read(node);
      if (isChat(call)) found.push(call);
    } else if (kindOf(node) === 'tool_call') {
      result.tools.push({ node, reading: read(node).reading });
    } else if (kindOf(node) === 'none' && hasEvents(node)) read(node);
  }
  const { calls: held, others, records } = withoutOtherRecords(found);
  for (const call of held) markAround(call.node, innerOfCall(call), innerOf);
  const agents = nodes.filter((node) => kindOf(node) === 'agent').map(read);
  const runs = nodes.filter((node) => kindOf(node) === 'run');
  result.calls = [...held, ...agents].flatMap((call) => withoutRepeats(call, innerOf.get(call.node)));
  for (const { node } of result.calls) markAround(node, { hasInput: true, hasOutput: true, isFailed: false }, innerOf);
  result.calls.push(...runs.map(read).flatMap((call) => withoutRepeats(call, innerOf.get(call.node))));
  result.calls.push(...failuresAlone(held, result.calls, innerOf));
  result.others = others;
  result.records = records;
  result.hasSteps = result.tools.length > 0 || agents.length > 0 || held.some(({ reading }) => isStep(reading.kind));
  return result;
}

/**
 * Tells whether a call is part of a chat: the reading is more reliable than the facts, for which no content was read.
 */
function isChat({ node, reading }: ModelCall): boolean {
  return reading.kind === 'model_call' || node.facts.kind !== 'model_call';
}

function innerOfCall({ hasInput, output, reading }: ModelCall): Inner {
  return { hasInput, hasOutput: output.length > 0, isFailed: reading.error !== undefined };
}

/**
 * Finds calls that failed and recorded nothing else, except those around another such call, or inside a span that
 * recorded the question.
 */
function failuresAlone(
  held: readonly ModelCall[],
  kept: readonly ModelCall[],
  innerOf: ReadonlyMap<SpanNode, Inner>,
): ModelCall[] {
  const known = new Map(kept.map(({ node }) => [node, true]));
  return held.filter(
    ({ node, reading }) => reading.error !== undefined && !innerOf.has(node) && !isInside(node, known),
  );
}

/** Tells whether a span, or one around it that is no tool's, is among the known ones; caches the results. */
function isInside(start: SpanNode, known: Map<SpanNode, boolean>): boolean {
  const path: SpanNode[] = [];
  let node: SpanNode | undefined = start;
  while (node !== undefined && node.facts.kind !== 'tool_call' && !known.has(node)) {
    known.set(node, false);
    path.push(node);
    node = node.parent;
  }
  const found = node !== undefined && known.get(node) === true;
  for (const passed of path) known.set(passed, found);
  return found;
}

/** Tells whether a span has GenAI events: evaluations are recorded on any kind of span. */
function hasEvents({ span, logs }: SpanNode): boolean {
  return logs.length > 0 || span.events.some((event) => event.name.startsWith('gen_ai.'));
}

/**
 * Role of a span. An outermost span that is no agent (a chain, a request handler) may hold the content of a whole run,
 * except that of a lookup, which holds the retrieved text.
 */
function kindOf(node: SpanNode): 'model_call' | 'tool_call' | 'agent' | 'run' | 'none' {
  const { kind } = node.facts;
  if (kind === 'model_call' || kind === 'tool_call' || kind === 'agent') return kind;
  if (kind === 'other' && node.logs.length > 0) return 'model_call';
  const isOutermost = kind === 'other' && node.parent === undefined;
  return isOutermost && lookedUpBy(node.span, node.facts) === undefined ? 'run' : 'none';
}

function readCall(node: SpanNode, logs: readonly LogRecord[], table: MessageTable) {
  const { system, input, output, ...reading } = readSpan(node.span, logs, node.facts);
  const firstOther = input.findIndex((message) => message.role !== 'system');
  const lead = firstOther === -1 ? input.length : firstOther;
  const given = system.map((message) => table.intern(message));
  const known = new Set(given.map(({ symbol }) => symbol));
  const leading = input.slice(0, lead).map((message) => table.intern(message));
  const call = {
    node,
    reading,
    // Some instrumentations give the instructions twice: separately, and again as the first messages.
    system: [...given, ...leading.filter(({ symbol }) => !known.has(symbol))],
    body: input.slice(lead).map((message) => table.intern(message)),
    output: output.map((message) => table.intern(message)),
    hasInput: reading.hasInput || system.length > 0,
  };
  return { reading, call };
}

/**
 * Marks the spans around a call as having recorded content inside; stops at marked spans, and at a tool that runs the
 * call.
 */
function markAround(node: SpanNode, inner: Inner, innerOf: Map<SpanNode, Inner>): void {
  if (!inner.hasInput && !inner.hasOutput && !inner.isFailed) return;
  for (let around = node.parent; around !== undefined && around.facts.kind !== 'tool_call'; around = around.parent) {
    const known = innerOf.get(around) ?? { hasInput: false, hasOutput: false, isFailed: false };
    const merged = {
      hasInput: known.hasInput || inner.hasInput,
      hasOutput: known.hasOutput || inner.hasOutput,
      isFailed: known.isFailed || inner.isFailed,
    };
    if ((Object.keys(merged) as (keyof Inner)[]).every((key) => merged[key] === known[key])) return;
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

/** Name of the agent that a span works for: the nearest named one around it. */
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
