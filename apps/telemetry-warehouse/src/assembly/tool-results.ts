import { newEntry, type Entry } from './entry.ts';
import type { MessageTable } from './message-table.ts';
import { invocationKey, type ToolRun } from './tool-runs.ts';

/** A tool call as a model made it, waiting for its run. */
interface OpenCall {
  caller: Entry;
  callIndex: number;
  isTaken: boolean;
}

interface OpenCalls {
  byId: Map<string, OpenCall[]>;
  byInvocation: Map<string, OpenCall[]>;
  byName: Map<string, OpenCall[]>;
}

/**
 * Brings the runs of tools to the calls that made them. A result that a history has already gains the run's error and
 * the place where it first appeared; a result that only the run has is added behind its call. A run that no call made
 * stands for itself. Adds to the entries that it is given.
 */
export function addToolResults(entries: Entry[], runs: readonly ToolRun[], table: MessageTable): void {
  const calls = openCalls(entries);
  const unlinked = entries.filter((entry) => entry.message.role === 'tool' && entry.answers === undefined);
  for (const run of runs) {
    const call = matchingCall(calls, run);
    const known = call === undefined ? unlinkedResult(unlinked, run) : call.caller.results.get(call.callIndex);
    if (call !== undefined) call.isTaken = true;
    if (known !== undefined) applyRun(known, run);
    else if (run.tool.hasResult || run.error !== undefined) {
      if (call !== undefined) addBehindCall(call, run, table);
      else if (!run.isInner && !isRepeatedRun(calls, run)) entries.push(resultEntry(run, undefined, table));
    }
  }
}

function openCalls(entries: readonly Entry[]): OpenCalls {
  const calls: OpenCalls = { byId: new Map(), byInvocation: new Map(), byName: new Map() };
  for (const caller of entries) {
    caller.message.toolCalls?.forEach(({ id, name, arguments: given }, callIndex) => {
      const call = { caller, callIndex, isTaken: false };
      if (id !== undefined) append(calls.byId, id, call);
      append(calls.byInvocation, invocationKey(name, given), call);
      append(calls.byName, name, call);
    });
  }
  return calls;
}

function append(index: Map<string, OpenCall[]>, key: string, call: OpenCall): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [call]);
  else list.push(call);
}

/** By id, else by name and arguments, else by the name alone within the trace. */
function matchingCall(calls: OpenCalls, run: ToolRun): OpenCall | undefined {
  const { id, name, arguments: given } = run.tool;
  if (id !== undefined) {
    const byId = latestOpen(calls.byId.get(id), run);
    if (byId !== undefined || calls.byId.has(id)) return byId;
  }
  const byInvocation =
    given === undefined ? undefined : latestOpen(calls.byInvocation.get(invocationKey(name, given)), run);
  if (byInvocation !== undefined) return byInvocation;
  const sameTrace = calls.byName.get(name)?.filter((call) => call.caller.origin.traceId === run.node.span.traceId);
  return latestOpen(sameTrace, run);
}

/**
 * The call of the latest message that was there when the run began; of one message the first call. Ids and invocations
 * repeat in a long conversation, and a call of another trace is only taken where the run's own has none.
 */
function latestOpen(candidates: readonly OpenCall[] | undefined, run: ToolRun): OpenCall | undefined {
  let best: OpenCall | undefined;
  for (const call of candidates ?? []) {
    if (call.isTaken || call.caller === best?.caller) continue;
    if (best === undefined || rank(call, run) >= rank(best, run)) best = call;
  }
  return best;
}

function rank(call: OpenCall, run: ToolRun): number {
  const { origin } = call.caller;
  return (origin.traceId === run.node.span.traceId ? 2 : 0) + (origin.timeNs <= run.node.startNs ? 1 : 0);
}

/** A result in a history that was cut off before its call. */
function unlinkedResult(unlinked: readonly Entry[], run: ToolRun): Entry | undefined {
  const { id, name, result, hasResult } = run.tool;
  return unlinked.find(({ message }) =>
    id !== undefined && message.toolCallId !== undefined
      ? id === message.toolCallId
      : hasResult && message.content === result && (message.name === undefined || message.name === name),
  );
}

/** A second span of a run that its call has already. */
function isRepeatedRun(calls: OpenCalls, run: ToolRun): boolean {
  const { id, name, arguments: given } = run.tool;
  if (id !== undefined && calls.byId.has(id)) return true;
  const same = given === undefined ? [] : (calls.byInvocation.get(invocationKey(name, given)) ?? []);
  return same.some((call) => call.caller.origin.traceId === run.node.span.traceId);
}

function applyRun(result: Entry, run: ToolRun): void {
  const { traceId, spanId } = run.node.span;
  if (run.node.endNs <= result.origin.timeNs) result.origin = { traceId, spanId, timeNs: run.node.endNs };
  if (run.error !== undefined) result.error ??= run.error;
  if (result.message.name === undefined) result.message = { ...result.message, name: run.tool.name };
}

function addBehindCall({ caller, callIndex }: OpenCall, run: ToolRun, table: MessageTable): void {
  const entry = resultEntry(run, caller, table);
  entry.answers = { caller, callIndex };
  caller.results.set(callIndex, entry);
  caller.spanResults.push(entry);
}

function resultEntry(run: ToolRun, previous: Entry | undefined, table: MessageTable): Entry {
  const { traceId, spanId } = run.node.span;
  const { id, name, result, hasResult } = run.tool;
  // Of a run that failed without a result, what came back is its error.
  const content = hasResult ? result : (run.error?.message ?? '');
  const message = { role: 'tool' as const, content, name, ...(id === undefined ? {} : { toolCallId: id }) };
  const entry = newEntry(table.intern(message), { traceId, spanId, timeNs: run.node.endNs }, previous);
  if (run.error !== undefined) entry.error = run.error;
  return entry;
}
