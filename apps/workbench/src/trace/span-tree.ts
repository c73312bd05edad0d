import type { Api } from '@clew/sdk';

type Span = Api.TraceSpan;

/** Span in its place in the tree. */
export interface SpanNode {
  readonly span: Span;
  /** Milliseconds after the beginning of the trace. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
  /** Whether it names a parent that is not there, or not yet. */
  readonly isOrphan: boolean;
  readonly children: SpanNode[];
}

export interface SpanTree {
  readonly roots: readonly SpanNode[];
  readonly byId: ReadonlyMap<string, SpanNode>;
  readonly durationMs: number;
}

/** Status code of OpenTelemetry for an error. */
const ERROR = 2;
const NANOS_IN_MICRO = 1_000n;

/**
 * Builds the tree of the spans that have been read. Each span is in it once: one whose parent is missing is a root, as
 * is one of a circle of parents. Beside sorting the spans by their start, the work is linear.
 */
export function buildTree(spans: readonly Span[]): SpanTree {
  const origin = spans.reduce<bigint | undefined>((first, { startTimeUnixNano }) => {
    const start = nanos(startTimeUnixNano);
    return first === undefined || start < first ? start : first;
  }, undefined);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const nodes = spans.map((span) => nodeOf(span, origin ?? 0n, ids)).sort((a, b) => a.startMs - b.startMs);
  const byId = new Map<string, SpanNode>();
  const unique = nodes.filter((node) => !byId.has(node.span.spanId) && byId.set(node.span.spanId, node));
  const roots: SpanNode[] = [];
  for (const node of unique) {
    const parent = byId.get(node.span.parentSpanId ?? '');
    if (parent === undefined || parent === node) roots.push(node);
    else parent.children.push(node);
  }
  openCircles(unique, roots);
  const end = unique.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0);
  return { roots, byId, durationMs: end };
}

function nodeOf(span: Span, origin: bigint, ids: ReadonlySet<string>): SpanNode {
  const start = nanos(span.startTimeUnixNano);
  return {
    span,
    startMs: millis(start - origin),
    durationMs: Math.max(0, millis(nanos(span.endTimeUnixNano) - start)),
    hasFailed: span.statusCode === ERROR,
    isOrphan: span.parentSpanId !== null && !ids.has(span.parentSpanId),
    children: [],
  };
}

function nanos(text: string): bigint {
  return /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
}

function millis(lengthNanos: bigint): number {
  return Number(lengthNanos / NANOS_IN_MICRO) / 1_000;
}

/** Makes the first span of each circle of parents a root, since no root leads to it. */
function openCircles(nodes: readonly SpanNode[], roots: SpanNode[]): void {
  const reached = new Set<SpanNode>();
  const reach = (from: SpanNode) => {
    const open = [from];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      for (const child of node.children) open.push(child);
    }
  };
  for (const root of roots) reach(root);
  if (reached.size === nodes.length) return;
  const byId = new Map(nodes.map((node) => [node.span.spanId, node]));
  for (const node of nodes) {
    if (reached.has(node)) continue;
    const siblings = byId.get(node.span.parentSpanId ?? '')?.children ?? [];
    siblings.splice(siblings.indexOf(node), 1);
    roots.push(node);
    reach(node);
  }
}

/** Row of the tree as it is shown. */
export interface SpanRow {
  readonly node: SpanNode;
  readonly depth: number;
  readonly isFolded: boolean;
}

/** Rows of a tree, each parent before its children; those below folded spans are left out. */
export function rowsOf({ roots }: SpanTree, folded: ReadonlySet<string>): SpanRow[] {
  const rows: SpanRow[] = [];
  const open = roots.map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const isFolded = folded.has(node.span.spanId) && node.children.length > 0;
    rows.push({ node, depth, isFolded });
    if (isFolded) continue;
    for (let at = node.children.length - 1; at >= 0; at -= 1) {
      const child = node.children[at];
      if (child !== undefined) open.push({ node: child, depth: depth + 1 });
    }
  }
  return rows;
}

export interface SpanFilter {
  readonly q?: string;
  readonly only?: 'errors';
}

/** Spans that a filter names, in the order of the tree and without it. */
export function matchingRows(tree: SpanTree, { q, only }: SpanFilter): SpanRow[] {
  const wanted = q?.toLowerCase();
  return rowsOf(tree, new Set()).flatMap(({ node }) => {
    if (only === 'errors' && !node.hasFailed) return [];
    return wanted === undefined || textOf(node.span).includes(wanted) ? [{ node, depth: 0, isFolded: false }] : [];
  });
}

const texts = new WeakMap<Span, string>();

/** Text in which a span is searched: its name, its message, its attributes and events. */
function textOf(span: Span): string {
  const known = texts.get(span);
  if (known !== undefined) return known;
  const { name, spanId, statusMessage, attributes, events } = span;
  const text = `${name}\n${spanId}\n${statusMessage ?? ''}\n${JSON.stringify([attributes, events])}`.toLowerCase();
  texts.set(span, text);
  return text;
}

/** Ids of the spans above one, the nearest first. */
export function ancestorsOf({ byId }: SpanTree, spanId: string): string[] {
  const ids: string[] = [];
  const seen = new Set([spanId]);
  let parentId = byId.get(spanId)?.span.parentSpanId ?? null;
  while (parentId !== null && byId.has(parentId) && !seen.has(parentId)) {
    ids.push(parentId);
    seen.add(parentId);
    parentId = byId.get(parentId)?.span.parentSpanId ?? null;
  }
  return ids;
}

const STEP = 5;

/** Number of the pages that are shown of those that have been read: each of the first, then several at once. */
export function shownPages(read: number, isMoreComing: boolean): number {
  return isMoreComing && read > STEP ? read - (read % STEP) : read;
}
