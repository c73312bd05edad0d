import { addChild, newRoot, type ContextNode } from './context-tree.ts';
import { enrich, type Entry } from './entry.ts';
import type { MessageTable, Said } from './message-table.ts';
import { linkResult } from './result-links.ts';
import type { RunEchoes } from './run-echoes.ts';
import { createRunEchoes } from './run-echoes.ts';

/** What has been joined so far. */
export interface Timeline {
  table: MessageTable;
  /** The groups of calls that repeat their history (`groupsWithHistory`). */
  groups: ReadonlySet<string>;
  /** In the order in which they were found. */
  entries: Entry[];
  /** Where the histories of all calls that have one begin. */
  root: ContextNode;
  threadEnds: Map<string, ContextNode>;
  /** Where the call with a response id ends. */
  responses: Map<string, ContextNode>;
  /** The latest contexts, newest first. */
  recent: ContextNode[];
  instructions: Map<number, Entry>;
  answers: Set<number>;
  echoes: RunEchoes;
  /** What a model has answered; a root stands for the empty question. */
  answered: Set<Entry | ContextNode>;
  /** Calls without an answer, by what they asked last: shown if nothing ever answers it. */
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

/** Adds a message that was not there. */
export function record(timeline: Timeline, entry: Entry, thread: string): Entry {
  timeline.entries.push(entry);
  entry.threads.add(thread);
  if (entry.message.role === 'assistant') timeline.answers.add(entry.symbol);
  if (entry.message.role === 'tool') linkResult(entry);
  return entry;
}

/** What the node stands for when answers are counted. */
export function questionOf(node: ContextNode): Entry | ContextNode {
  return node.entry ?? node;
}

/** The node of a message behind another; `make` gives its entry where it is new there. */
export function step(timeline: Timeline, parent: ContextNode, said: Said, make: () => Entry): ContextNode {
  const existing = parent.children.get(said.symbol);
  if (existing?.entry !== undefined) enrich(existing.entry, said.message);
  const node = existing ?? addChild(parent, make(), said.symbol);
  if (node.entry?.message.role === 'assistant') timeline.answered.add(questionOf(parent));
  return node;
}

/** The messages that stay: of calls without an answer, the last one for each question that was never answered. */
export function settledEntries(timeline: Timeline): Entry[] {
  const shown = new Set(
    [...timeline.unanswered].filter(([question]) => !timeline.answered.has(question)).map(([, entry]) => entry),
  );
  return timeline.entries.filter((entry) => !entry.isSilent || shown.has(entry));
}
