import { newEntry, type Entry } from './entry.ts';
import { durationOf } from './making.ts';
import type { MessageTable } from './message-table.ts';
import { createOpenCalls, type OpenCall } from './open-calls.ts';
import type { ToolRun } from './tool-runs.ts';

/**
 * Assigns the runs of tools to the calls that made them. A result that a history contains already gains the run's error
 * and the place of its first appearance; a result that only the run contains is added after its call. A run without a
 * call is added alone. Appends to the given entries.
 */
export function addToolResults(entries: Entry[], runs: readonly ToolRun[], table: MessageTable): void {
  const calls = createOpenCalls(entries);
  const loose = looseResults(entries);
  for (const run of runs) {
    const call = calls.take(run);
    const known = call === undefined ? loose(run) : call.caller.results.get(call.callIndex);
    if (known !== undefined) applyRun(known, run);
    else if (run.tool.hasResult || run.error !== undefined) {
      if (call !== undefined) addBehindCall(call, run, table);
      else if (!run.isInner && !calls.isRepeated(run)) entries.push(resultEntry(run, undefined, table));
    }
  }
  for (const entry of entries) entry.spanResults.sort((left, right) => callIndexOf(left) - callIndexOf(right));
}

export function callIndexOf(result: Entry): number {
  return result.answers?.callIndex ?? 0;
}

/** Finds results in histories that were cut off before their calls: by id, else by content. */
function looseResults(entries: readonly Entry[]): (run: ToolRun) => Entry | undefined {
  const unlinked = entries.filter((entry) => entry.message.role === 'tool' && entry.answers === undefined);
  const byId = new Map(unlinked.map((entry) => [entry.message.toolCallId, entry]));
  const byContent = new Map(unlinked.map((entry) => [entry.message.content, entry]));
  return ({ tool: { id, name, result, hasResult } }) => {
    if (id !== undefined && byId.has(id)) return byId.get(id);
    const same = hasResult ? byContent.get(result) : undefined;
    const isNamedAlike = same?.message.name === undefined || same.message.name === name;
    return isNamedAlike && (id === undefined || same?.message.toolCallId === undefined) ? same : undefined;
  };
}

function applyRun(result: Entry, run: ToolRun): void {
  const { traceId, spanId } = run.node.span;
  if (run.node.endNs <= result.origin.timeNs) result.origin = { traceId, spanId, timeNs: run.node.endNs };
  if (run.error !== undefined) result.error ??= run.error;
  if (result.message.name === undefined) result.message = { ...result.message, name: run.tool.name };
  noteRun(result, run);
}

/** Notes how a result was made; of several runs with one result, the first made it. */
function noteRun(result: Entry, { node, source }: ToolRun): void {
  const durationMs = durationOf(node);
  result.making ??= durationMs === undefined ? {} : { durationMs };
  if (source !== undefined) result.source ??= source;
}

function addBehindCall({ caller, callIndex }: OpenCall, run: ToolRun, table: MessageTable): void {
  const entry = resultEntry(run, caller, table);
  entry.answers = { caller, callIndex };
  entry.isSpanResult = true;
  caller.results.set(callIndex, entry);
  caller.spanResults.push(entry);
}

function resultEntry(run: ToolRun, previous: Entry | undefined, table: MessageTable): Entry {
  const { traceId, spanId } = run.node.span;
  const { id, name, result, hasResult } = run.tool;
  // If a run failed without a result, the error is the result.
  const content = hasResult ? result : (run.error?.message ?? '');
  const message = { role: 'tool' as const, content, name, ...(id === undefined ? {} : { toolCallId: id }) };
  const entry = newEntry(table.intern(message), { traceId, spanId, timeNs: run.node.endNs }, previous);
  if (run.error !== undefined) entry.error = run.error;
  noteRun(entry, run);
  return entry;
}
