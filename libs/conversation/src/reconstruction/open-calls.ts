import { canonicalText } from '../dialects/index.ts';
import type { Entry } from './entry.ts';
import type { ToolRun } from './tool-runs.ts';

/** Tool call of a model that waits for its run. */
export interface OpenCall {
  caller: Entry;
  callIndex: number;
  isTaken: boolean;
}

/** Calls of one message that share one key, in order. */
interface CallGroup {
  timeNs: bigint;
  calls: OpenCall[];
}

export interface OpenCalls {
  /** Takes the call that a run belongs to; undefined if no model made it. */
  take(run: ToolRun): OpenCall | undefined;
  /** Tells whether a call that this run could have belonged to has another run. */
  isRepeated(run: ToolRun): boolean;
}

/**
 * Indexes the tool calls of a conversation by id, by name with arguments, and by name. Ids and invocations repeat in a
 * long conversation: a run belongs to the latest message before its start, with preference for its own trace.
 */
export function createOpenCalls(entries: readonly Entry[]): OpenCalls {
  const index = indexCalls(entries);
  return {
    take(run) {
      const { id } = run.tool;
      const keys = id !== undefined && index.has(idKey(id)) ? [idKey(id)] : [invocationKey(run), nameKey(run)];
      const { traceId } = run.node.span;
      for (const key of keys) {
        const isLoose = key === nameKey(run);
        const call =
          latestOpen(index.get(`${traceId} ${key}`), run) ?? (isLoose ? undefined : latestOpen(index.get(key), run));
        if (call === undefined) continue;
        call.isTaken = true;
        return call;
      }
      return undefined;
    },
    isRepeated(run) {
      const { id } = run.tool;
      return (id !== undefined && index.has(idKey(id))) || index.has(`${run.node.span.traceId} ${invocationKey(run)}`);
    },
  };
}

function indexCalls(entries: readonly Entry[]): Map<string, CallGroup[]> {
  const index = new Map<string, CallGroup[]>();
  const callers = entries.filter((entry) => entry.message.toolCalls !== undefined);
  callers.sort((left, right) =>
    left.origin.timeNs < right.origin.timeNs ? -1 : left.origin.timeNs > right.origin.timeNs ? 1 : 0,
  );
  for (const caller of callers) {
    caller.message.toolCalls?.forEach(({ id, name, arguments: given }, callIndex) => {
      const call: OpenCall = { caller, callIndex, isTaken: false };
      const keys = [`call ${name} ${canonicalText(given)}`, `name ${name}`, ...(id === undefined ? [] : [idKey(id)])];
      for (const key of keys)
        for (const scoped of [key, `${caller.origin.traceId} ${key}`]) append(index, scoped, call);
    });
  }
  return index;
}

function append(index: Map<string, CallGroup[]>, key: string, call: OpenCall): void {
  const groups = index.get(key);
  const last = groups?.at(-1);
  if (last?.calls[0]?.caller === call.caller) last.calls.push(call);
  else if (groups === undefined) index.set(key, [{ timeNs: call.caller.origin.timeNs, calls: [call] }]);
  else groups.push({ timeNs: call.caller.origin.timeNs, calls: [call] });
}

function idKey(id: string): string {
  return `id ${id}`;
}

function invocationKey({ tool }: ToolRun): string {
  return `call ${tool.name} ${tool.arguments === undefined ? '' : canonicalText(tool.arguments)}`;
}

function nameKey({ tool }: ToolRun): string {
  return `name ${tool.name}`;
}

/** Finds the first open call of the latest message before the run, or else of the first one after it. */
function latestOpen(groups: CallGroup[] | undefined, run: ToolRun): OpenCall | undefined {
  if (groups === undefined) return undefined;
  const after = firstAfter(groups, run.node.startNs);
  for (let at = after - 1; at >= 0; at -= 1) {
    const call = firstOpen(groups, at);
    if (call !== undefined) return call;
  }
  for (let at = firstAfter(groups, run.node.startNs); at < groups.length; at += 1) {
    const call = groups[at]?.calls.find((candidate) => !candidate.isTaken);
    if (call !== undefined) return call;
  }
  return undefined;
}

/** Finds the first open call of a group; a group without one is removed, so that it is visited only once. */
function firstOpen(groups: CallGroup[], at: number): OpenCall | undefined {
  const call = groups[at]?.calls.find((candidate) => !candidate.isTaken);
  if (call === undefined) groups.splice(at, 1);
  return call;
}

/** Finds the position of the first group that is later than a time. */
function firstAfter(groups: readonly CallGroup[], timeNs: bigint): number {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle]?.timeNs ?? 0n) <= timeNs) low = middle + 1;
    else high = middle;
  }
  return low;
}
