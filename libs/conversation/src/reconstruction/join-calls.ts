import { findAnchor, type Anchor } from './anchor.ts';
import type { ModelCall } from './model-call.ts';
import { newRoot, type ContextNode } from './context-tree.ts';
import { knownBefore } from './detour.ts';
import { newEntry, type Entry, type Origin } from './entry.ts';
import { groupsWithHistory, historyGroup, threadsOf } from './history-mode.ts';
import { MAX_WINDOW_CANDIDATES } from './limits.ts';
import { noteMaking } from './making.ts';
import type { MessageTable, Said } from './message-table.ts';
import { createTimeline, questionOf, record, settledEntries, step, type Timeline } from './timeline.ts';
import { silentAnswer } from './silent-answer.ts';

/** Call with its place in the timeline. */
interface Placement {
  call: ModelCall;
  thread: string;
  anchor: Anchor;
  /** Inputs appeared when the call began, outputs when it ended. */
  atStart: Origin;
  atEnd: Origin;
}

/**
 * Joins calls, in call order, into the messages of the conversation: each once, with the place of its first appearance
 * and its predecessor in the thread. The entries are in the order of their discovery.
 */
export function joinCalls(calls: readonly ModelCall[], table: MessageTable): Entry[] {
  const timeline = createTimeline(groupsWithHistory(calls), table);
  const threads = threadsOf(calls);
  calls.forEach((call, index) => joinCall(timeline, call, threads[index] ?? ''));
  return settledEntries(timeline);
}

function joinCall(timeline: Timeline, call: ModelCall, thread: string): void {
  const { traceId, spanId } = call.node.span;
  const placement: Placement = {
    call,
    thread,
    anchor: anchorOf(timeline, call, thread),
    atStart: { traceId, spanId, timeNs: call.node.startNs },
    atEnd: { traceId, spanId, timeNs: call.node.endNs },
  };
  const asked = addInput(timeline, placement);
  const end = addOutput(timeline, placement, asked);
  addSilence(timeline, placement, asked);
  timeline.threadEnds.set(thread, end);
  if (call.reading.responseId !== undefined) timeline.responses.set(call.reading.responseId, end);
  timeline.recent = [...new Set([end, asked, ...timeline.recent])].slice(0, MAX_WINDOW_CANDIDATES);
}

function anchorOf(timeline: Timeline, call: ModelCall, thread: string): Anchor {
  const { previousResponseId } = call.reading;
  const hasHistory = timeline.groups.has(historyGroup(call));
  return findAnchor(call.body, {
    root: timeline.root,
    // A thread without histories has its own root, so that messages of another thread are not mistaken for its
    // messages.
    threadEnd: timeline.threadEnds.get(thread) ?? (hasHistory ? timeline.root : newRoot()),
    linked: previousResponseId === undefined ? undefined : timeline.responses.get(previousResponseId),
    recent: timeline.recent,
    hasHistory,
    isKnownAnswer: ({ symbol, message }) => message.role === 'assistant' && timeline.answers.has(symbol),
  });
}

/** Adds new instructions; those of the first call open the conversation. */
function addInstructions(timeline: Timeline, { call, thread, atStart }: Placement, previous: Entry | undefined): void {
  const isOpening = timeline.entries.length === 0;
  for (const said of call.system) {
    if (!isOpening && timeline.instructions.has(said.symbol)) continue;
    const entry = record(timeline, newEntry(said, atStart, isOpening ? undefined : previous), thread);
    entry.isOpening = isOpening;
    timeline.instructions.set(said.symbol, entry);
  }
}

/**
 * Adds messages that replace the beginning of a changed history: a summary, a pinned message, a simplified question.
 */
function addDetour(timeline: Timeline, { thread, atStart, anchor }: Placement): void {
  const { detour, node: end } = anchor;
  if (detour === undefined) return;
  const known = knownBefore(detour, timeline.instructions);
  let node = detour.from;
  detour.messages.forEach((said, index) => {
    const make = (): Entry => known(said, index) ?? record(timeline, newEntry(said, atStart, end.entry), thread);
    node = step(timeline, node, said, make);
  });
  const next = detour.to.entry;
  if (next !== undefined && !node.children.has(next.symbol)) node.children.set(next.symbol, detour.to);
}

function addInput(timeline: Timeline, placement: Placement): ContextNode {
  const { call, thread, anchor } = placement;
  const { traceId } = call.node.span;
  const rest = call.body.slice(anchor.consumed);
  const echoed = timeline.echoes.find(traceId, thread, rest);
  // Results belong to the call before them, so new instructions come after them.
  const speech = rest.findIndex(({ message }) => message.role !== 'tool');
  const results = timeline.entries.length === 0 ? [] : rest.slice(0, speech === -1 ? rest.length : speech);
  const afterResults = addNew(timeline, placement, anchor.node, results, []);
  addInstructions(timeline, placement, afterResults.entry);
  addDetour(timeline, placement);
  const spoken = rest.slice(results.length);
  const asked = addNew(timeline, placement, afterResults, spoken, echoed.slice(results.length));
  timeline.echoes.remember(traceId, thread, asked);
  return asked;
}

/** Adds messages after a node, reusing the entries that other threads have for them. */
function addNew(
  timeline: Timeline,
  { call, thread, atStart, anchor }: Placement,
  from: ContextNode,
  messages: readonly Said[],
  echoed: readonly (Entry | undefined)[],
): ContextNode {
  let node = from;
  messages.forEach((said, index) => {
    const previous = node.entry;
    const isBeginning = node === anchor.node && anchor.consumed === 0 && timeline.groups.has(historyGroup(call));
    node = step(timeline, node, said, () => {
      return echoed[index] ?? record(timeline, newEntry(said, atStart, previous, call.agentName), thread);
    });
    // The next call of this thread repeats these messages from its own beginning.
    if (isBeginning && !timeline.root.children.has(said.symbol)) timeline.root.children.set(said.symbol, node);
  });
  return node;
}

function addOutput(timeline: Timeline, { call, thread, atEnd }: Placement, asked: ContextNode): ContextNode {
  let node = asked;
  const answers: Entry[] = [];
  for (const said of call.output) {
    const previous = node.entry;
    node = step(timeline, node, said, () => record(timeline, newEntry(said, atEnd, previous, call.agentName), thread));
    // Several choices answer the same question: a history may continue with any of them.
    if (!asked.children.has(said.symbol)) asked.children.set(said.symbol, node);
    if (node.entry?.message.role === 'assistant') answers.push(node.entry);
  }
  noteMaking(answers, call.node);
  if (node !== asked && node.entry !== undefined && call.reading.error !== undefined)
    node.entry.error ??= call.reading.error;
  return node;
}

function addSilence(timeline: Timeline, { call, thread, atEnd }: Placement, asked: ContextNode): void {
  const silence = silentAnswer(call);
  if (silence === undefined) return;
  const entry = newEntry(timeline.table.intern(silence.message), atEnd, asked.entry, call.agentName);
  if (silence.error !== undefined) entry.error = silence.error;
  entry.isSilent = true;
  noteMaking([entry], call.node);
  timeline.entries.push(entry);
  entry.threads.add(thread);
  timeline.unanswered.set(questionOf(asked), entry);
}
