import type { MessageOrigin } from '@clew/contracts';
import type { ReadError, ReadTool } from '../dialects/index.ts';
import type { SpansRead } from './calls.ts';
import type { MessageOrigins } from './message-origins.ts';
import type { SpanNode } from './span-index.ts';

/** Run of a tool, from its span. */
export interface ToolRun {
  node: SpanNode;
  tool: ReadTool;
  error: ReadError | undefined;
  /** Origin of its result, if it was retrieved or recalled. */
  source: MessageOrigin | undefined;
  /** True if it ran inside another tool's run, so that it answers no model by itself. */
  isInner: boolean;
}

/**
 * Collects the runs of tools by start time. A tool that is instrumented twice (a framework's span around a protocol's)
 * is one run: the outer one, with the result of the inner one if it has none.
 */
export function toolRuns(tools: SpansRead['tools'], origins: Pick<MessageOrigins, 'ofRun'>): ToolRun[] {
  const readings = new Map(tools.map(({ node, reading }) => [node, reading]));
  const outerOf = outerTools(readings);
  const runs = new Map<SpanNode, ToolRun>();
  // Outer tools first, whatever their clocks say.
  const depthOf = depths(outerOf);
  const outerFirst = [...readings].sort(([left], [right]) => (depthOf.get(left) ?? 0) - (depthOf.get(right) ?? 0));
  for (const [node, { tool = { name: node.span.name, result: '', hasResult: false }, error }] of outerFirst) {
    const outer = outerOf.get(node);
    const around = outer === undefined ? undefined : runs.get(outer);
    if (around !== undefined && isSameRun(around.tool, tool)) {
      merge(around, tool, error);
      runs.set(node, around);
    } else runs.set(node, { node, tool, error, source: origins.ofRun(node), isInner: around !== undefined });
  }
  return tools
    .map(({ node }) => runs.get(node))
    .filter((run, index) => run !== undefined && run.node === tools[index]?.node) as ToolRun[];
}

/** Maps each tool span to the nearest tool span around it, without a model call or agent in between. */
function outerTools(tools: ReadonlyMap<SpanNode, unknown>): Map<SpanNode, SpanNode | undefined> {
  const known = new Map<SpanNode, SpanNode | undefined>();
  for (const start of tools.keys()) {
    const path: SpanNode[] = [];
    let node: SpanNode | undefined = start;
    let outer: SpanNode | undefined;
    while (node !== undefined && !known.has(node)) {
      known.set(node, undefined);
      path.push(node);
      const around: SpanNode | undefined = node.parent;
      if (around === undefined || around.facts.kind === 'model_call' || around.facts.kind === 'agent') break;
      if (tools.has(around)) {
        outer = around;
        break;
      }
      node = around;
    }
    if (outer === undefined && node !== undefined && !path.includes(node)) outer = known.get(node);
    for (const item of path) known.set(item, outer);
  }
  return known;
}

function depths(outerOf: ReadonlyMap<SpanNode, SpanNode | undefined>): Map<SpanNode, number> {
  const found = new Map<SpanNode, number>();
  for (const start of outerOf.keys()) {
    const path: SpanNode[] = [];
    let node: SpanNode | undefined = start;
    while (node !== undefined && !found.has(node)) {
      found.set(node, 0);
      path.push(node);
      node = outerOf.get(node);
    }
    let depth = node === undefined ? -1 : (found.get(node) ?? 0);
    for (const item of path.reverse()) found.set(item, (depth += 1));
  }
  return found;
}

function isSameRun(outer: ReadTool, inner: ReadTool): boolean {
  if (outer.id !== undefined && inner.id !== undefined) return outer.id === inner.id;
  // A protocol's span is named by its method: `tools/call search`.
  return outer.name === inner.name || inner.name.endsWith(` ${outer.name}`);
}

function merge(run: ToolRun, inner: ReadTool, error: ReadError | undefined): void {
  if (!run.tool.hasResult && inner.hasResult) run.tool = { ...run.tool, result: inner.result, hasResult: true };
  if (run.tool.id === undefined && inner.id !== undefined) run.tool = { ...run.tool, id: inner.id };
  run.error ??= error;
}
