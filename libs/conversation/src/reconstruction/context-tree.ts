import type { Entry } from './entry.ts';
import type { Said } from './message-table.ts';

/**
 * Context of a model at some point: the path from the root. Histories are paths that share their beginnings, so a
 * message at a place in a history is one node, and its repeat in the next call is found by following the path.
 */
export interface ContextNode {
  parent: ContextNode | undefined;
  /** Undefined at a root. */
  entry: Entry | undefined;
  children: Map<number, ContextNode>;
}

export function newRoot(): ContextNode {
  return { parent: undefined, entry: undefined, children: new Map() };
}

export function addChild(parent: ContextNode, entry: Entry, symbol: number): ContextNode {
  const node: ContextNode = { parent, entry, children: new Map() };
  parent.children.set(symbol, node);
  return node;
}

/** Follows the messages along a known path, as far as they match. */
export function walk(from: ContextNode, body: readonly Said[]): { node: ContextNode; consumed: number } {
  let node = from;
  let consumed = 0;
  for (const { symbol } of body) {
    const next = node.children.get(symbol);
    if (next === undefined) break;
    node = next;
    consumed += 1;
  }
  return { node, consumed };
}

/** Returns the last nodes of the path that ends in `end`, nearest first, without the root. */
export function tailOf(end: ContextNode, length: number): ContextNode[] {
  const tail: ContextNode[] = [];
  for (let node: ContextNode | undefined = end; node?.entry !== undefined && tail.length < length; node = node.parent) {
    tail.push(node);
  }
  return tail;
}
