import { canonicalText, type ReadError, type ReadTool } from '../dialects/index.ts';
import type { ReadConversation } from './calls.ts';
import type { SpanNode } from './span-index.ts';

/** One run of a tool, from its span. */
export interface ToolRun {
  node: SpanNode;
  tool: ReadTool;
  error: ReadError | undefined;
  /** It ran inside another tool's run, so that it answers no model by itself. */
  isInner: boolean;
}

/**
 * The runs of tools by start time. A tool that is instrumented twice (a framework's span around a protocol's) is one
 * run: the outer one, with the result of the inner one where it has none.
 */
export function toolRuns(tools: ReadConversation['tools']): ToolRun[] {
  const runs = new Map<SpanNode, ToolRun>();
  for (const { node, reading } of tools) {
    const tool = reading.tool ?? { name: node.span.name, result: '', hasResult: false };
    const error = reading.error;
    const around = outerRun(node, runs);
    if (around !== undefined && isSameRun(around.tool, tool)) merge(around, tool, error);
    else runs.set(node, { node, tool, error, isInner: around !== undefined });
  }
  return [...runs.values()];
}

/** The run that a span is part of, with no model call in between. Outer spans come first, since they start first. */
function outerRun(node: SpanNode, runs: ReadonlyMap<SpanNode, ToolRun>): ToolRun | undefined {
  const seen = new Set<SpanNode>();
  for (let around = node.parent; around !== undefined && !seen.has(around); around = around.parent) {
    if (around.facts.kind === 'model_call' || around.facts.kind === 'agent') return undefined;
    const run = runs.get(around);
    if (run !== undefined) return run;
    seen.add(around);
  }
  return undefined;
}

function isSameRun(outer: ReadTool, inner: ReadTool): boolean {
  if (outer.id !== undefined && inner.id !== undefined) return outer.id === inner.id;
  return outer.name === inner.name || inner.name.endsWith(outer.name);
}

function merge(run: ToolRun, inner: ReadTool, error: ReadError | undefined): void {
  if (!run.tool.hasResult && inner.hasResult) run.tool = { ...run.tool, result: inner.result, hasResult: true };
  if (run.tool.id === undefined && inner.id !== undefined) run.tool = { ...run.tool, id: inner.id };
  run.error ??= error;
}

/** The text under which runs and calls with the same name and arguments meet. */
export function invocationKey(name: string, given: unknown): string {
  return `${name} ${canonicalText(given)}`;
}
