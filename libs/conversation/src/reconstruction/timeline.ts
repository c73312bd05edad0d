import { addChild, newRoot, type ContextNode } from './context-tree.ts';
import { enrich, type Entry } from './entry.ts';
import type { MessageTable, Said } from './message-table.ts';
import { linkResult } from './result-links.ts';
import type { RunEchoes } from './run-echoes.ts';
import { createRunEchoes } from './run-echoes.ts';

/** State of the messages joined so far. */
export interface Timeline {
  table: MessageTable;
  /** Groups of calls that repeat their history (`groupsWithHistory`). */
  groups: ReadonlySet<string>;
  /** Entries in the order in which they were found. */
  entries: Entry[];
  /** Common beginning of the histories of all calls that have one. */
  root: ContextNode;
  threadEnds: Map<string, ContextNode>;
  /** End of the call with each response id. */
  responses: Map<string, ContextNode>;
  /** Latest contexts, newest first. */
  recent: ContextNode[];
  instructions: Map<number, Entry>;
  answers: Set<number>;
  echoes: RunEchoes;
  /** Questions that a model has answered; a root stands for the empty question. */
  answered: Set<Entry | ContextNode>;
  /** Calls without an answer, by their last question: shown if nothing ever answers it. */
  unanswered: Map<Entry | ContextNode, Entry>;
}

export function createTimeline(groups: ReadonlySet<string>, table: MessageTable): Timeline {
  return {
    table,
    groups,
    entries: [],
    root: newRoot(),
    threadEnds: new Map(),
    responses: new Map(),
    recent: [],
    instructions: new Map(),
    answers: new Set(),
    echoes: createRunEchoes(),
    answered: new Set(),
    unanswered: new Map(),
  };
}

/** Adds a new message. */
export function record(timeline: Timeline, entry: Entry, thread: string): Entry {
  timeline.entries.push(entry);
  entry.threads.add(thread);
  if (entry.message.role === 'assistant') timeline.answers.add(entry.symbol);
  if (entry.message.role === 'tool') linkResult(entry);
  return entry;
}

/** Returns the node's question, as it is counted for answers. */
export function questionOf(node: ContextNode): Entry | ContextNode {
  return node.entry ?? node;
}

/** Returns the node of a message after another; `make` creates its entry if it is new there. */
export function step(timeline: Timeline, parent: ContextNode, said: Said, make: () => Entry): ContextNode {
  const existing = parent.children.get(said.symbol);
  if (existing?.entry !== undefined) enrich(existing.entry, said.message);
  const node = existing ?? addChild(parent, make(), said.symbol);
  if (node.entry?.message.role === 'assistant') timeline.answered.add(questionOf(parent));
  return node;
}

/** Returns the final messages: of calls without an answer, the last one for each question that was never answered. */
export function settledEntries(timeline: Timeline): Entry[] {
  const shown = new Set(
    [...timeline.unanswered].filter(([question]) => !timeline.answered.has(question)).map(([, entry]) => entry),
  );
  return timeline.entries.filter((entry) => !entry.isSilent || shown.has(entry));
}
