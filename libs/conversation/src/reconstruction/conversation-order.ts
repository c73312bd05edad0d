import type { Entry } from './entry.ts';
import { callIndexOf } from './tool-results.ts';

/**
 * Orders the conversation by the time at which messages first appeared, but no message before its predecessor in its
 * thread. Threads thus interleave without losing their order, and late clocks do no harm. The opening instructions come
 * first, and the results of one message follow the order of its calls.
 */
export function inConversationOrder(entries: readonly Entry[]): Entry[] {
  const found = entries.flatMap((entry) => [entry, ...entry.spanResults]);
  const position = new Map<Entry, bigint>();
  for (const entry of found) {
    const before = entry.previous === undefined ? undefined : lastOf(entry.previous, entry);
    const floor = before === undefined ? -1n : (position.get(before) ?? -1n);
    const { timeNs } = entry.origin;
    position.set(entry, entry.isOpening ? -1n : timeNs < floor ? floor : timeNs);
  }
  const sorted = found
    .map((entry, index) => ({ entry, index, at: position.get(entry) ?? -1n }))
    .sort((left, right) => (left.at === right.at ? left.index - right.index : left.at < right.at ? -1 : 1))
    .map(({ entry }) => entry);
  return withResultsInCallOrder(sorted);
}

/** Last entry before a successor: results that only spans contain come between a message and its successor. */
function lastOf(previous: Entry, entry: Entry): Entry {
  return entry.isSpanResult ? previous : (previous.spanResults.at(-1) ?? previous);
}

function withResultsInCallOrder(entries: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  for (let index = 0; index < entries.length;) {
    const caller = entries[index]?.answers?.caller;
    let end = index + 1;
    while (caller !== undefined && entries[end]?.answers?.caller === caller) end += 1;
    const results = entries.slice(index, end);
    if (results.length > 1) results.sort((left, right) => callIndexOf(left) - callIndexOf(right));
    ordered.push(...results);
    index = end;
  }
  return ordered;
}
