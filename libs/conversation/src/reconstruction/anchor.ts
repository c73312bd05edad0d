import { tailOf, walk, type ContextNode } from './context-tree.ts';
import type { Said } from './message-table.ts';
import { findWindow } from './window-alignment.ts';

/** Known contexts before a call is placed. */
export interface KnownContexts {
  root: ContextNode;
  /** End of the call's own thread; a thread's private root before its first call. */
  threadEnd: ContextNode;
  /** End of the call that this one names as its predecessor. */
  linked: ContextNode | undefined;
  /** Latest contexts, newest first. */
  recent: readonly ContextNode[];
  /** Whether the calls of this kind repeat their history. */
  hasHistory: boolean;
  isKnownAnswer: (said: Said) => boolean;
}

/** Point at which a call's messages join the known context. */
export interface Anchor {
  node: ContextNode;
  /** Number of the call's messages that are known already; the rest follow `node`. */
  consumed: number;
  /** Messages before the known ones that differ from the known context: they begin after `from` and lead to `to`. */
  detour?: { from: ContextNode; messages: readonly Said[]; to: ContextNode };
}

/**
 * Finds the known part of a call's messages: by the response that it names, by following its history from the
 * beginning, by the end of a context whose beginning was cut off, or, for a call without history, at the end of its
 * thread.
 */
export function findAnchor(body: readonly Said[], known: KnownContexts): Anchor {
  const fromRoot = walk(known.root, body);
  if (known.linked !== undefined) return linkedAnchor(body, known.linked, fromRoot);
  if (!known.hasHistory) return endOfThread(body, known.threadEnd);
  const rest = body.slice(fromRoot.consumed);
  if (rest.some(known.isKnownAnswer)) return windowAnchor(rest, fromRoot, known.recent);
  if (fromRoot.consumed > 0 || body.length === 0) return fromRoot;
  return endOfThread(body, known.threadEnd);
}

/**
 * Anchors a call that names its predecessor. It sends only new messages; one that sends the whole history too is found
 * by it.
 */
function linkedAnchor(body: readonly Said[], linked: ContextNode, fromRoot: Anchor): Anchor {
  for (let node: ContextNode | undefined = fromRoot.node; node !== undefined; node = node.parent) {
    if (node === linked && fromRoot.consumed > 0) return fromRoot;
  }
  return walk(linked, body);
}

function windowAnchor(rest: readonly Said[], fromRoot: Anchor, recent: readonly ContextNode[]): Anchor {
  const match = findWindow(recent, rest);
  if (match === undefined) return fromRoot;
  const after = walk(match.node, rest.slice(match.end));
  return {
    node: after.node,
    consumed: fromRoot.consumed + match.end + after.consumed,
    ...(match.start > 0
      ? { detour: { from: fromRoot.node, messages: rest.slice(0, match.start), to: match.first } }
      : {}),
  };
}

/**
 * Anchors a call without history at the end of its thread. If the thread ends in unanswered messages (a failed call), a
 * call that begins with them asks again.
 */
function endOfThread(body: readonly Said[], threadEnd: ContextNode): Anchor {
  const unanswered = tailOf(threadEnd, body.length + 1).map((node) => node.entry);
  const answered = unanswered.findIndex((entry) => entry?.message.role === 'assistant');
  const run = (answered === -1 ? unanswered : unanswered.slice(0, answered)).reverse();
  const isRepeated =
    run.length > 0 && run.length <= body.length && run.every((entry, index) => entry?.symbol === body[index]?.symbol);
  return isRepeated ? { node: threadEnd, consumed: run.length } : { node: threadEnd, consumed: 0 };
}
