import type { ContextNode } from './context-tree.ts';
import type { Entry } from './entry.ts';
import type { Said } from './message-table.ts';

/**
 * Echoes of a user's message that several agents receive (a guard, a router, the one that answers), each without the
 * others' history. Within one trace these are one message, once for each thread.
 */
export interface RunEchoes {
  /** Finds, for messages that are new in their thread, the entries that another thread of the trace has for them. */
  find(traceId: string, thread: string, messages: readonly Said[]): readonly (Entry | undefined)[];
  /** Remembers the last user messages of a call. */
  remember(traceId: string, thread: string, asked: ContextNode): void;
}

interface Run {
  thread: string;
  entries: Entry[];
}

/** Maximum number of consecutive user messages at the end of a call. */
const MAX_RUN = 16;
/** Maximum number of calls of a trace that are remembered. */
const MAX_RUNS = 4;

export function createRunEchoes(): RunEchoes {
  const runs = new Map<string, Run[]>();
  return {
    find(traceId, thread, messages) {
      const start = messages.findLastIndex(({ message }) => message.role !== 'user') + 1;
      const asked = messages.slice(start);
      const run = runs.get(traceId)?.find((candidate) => candidate.thread !== thread);
      const isEcho =
        run !== undefined &&
        asked.length > 0 &&
        asked.length === run.entries.length &&
        run.entries.every((entry, index) => entry.symbol === asked[index]?.symbol && !entry.threads.has(thread));
      return isEcho ? [...Array<undefined>(start).fill(undefined), ...run.entries] : [];
    },
    remember(traceId, thread, asked) {
      const entries = lastQuestion(asked);
      for (const entry of entries) entry.threads.add(thread);
      if (entries.length > 0) runs.set(traceId, [{ thread, entries }, ...(runs.get(traceId) ?? [])].slice(0, MAX_RUNS));
    },
  };
}

function lastQuestion(asked: ContextNode): Entry[] {
  const entries: Entry[] = [];
  for (
    let node: ContextNode | undefined = asked;
    node?.entry?.message.role === 'user' && entries.length < MAX_RUN;
    node = node.parent
  ) {
    entries.unshift(node.entry);
  }
  return entries;
}
