import type { ModelCall } from './model-call.ts';
import { callRecordOf, isSameCall, keysOfRecord, TOLERANCE_NS, type CallRecord } from './call-identity.ts';
import { MAX_TWIN_CANDIDATES } from './limits.ts';
import { byStart, type SpanNode } from './span-index.ts';

interface Recorded {
  call: ModelCall;
  record: CallRecord;
}

/**
 * Keeps one of several records of a call, with the details of the others: the application's before the endpoint's, then
 * the first. A span of the application around another one is left as it is, because its place shows that it repeats.
 * Returns the calls in their order, the spans that no longer count, and all records.
 */
export function withoutOtherRecords(calls: readonly ModelCall[]): {
  calls: ModelCall[];
  others: Set<SpanNode>;
  records: CallRecord[];
} {
  const kept = new Map<string, Recorded[]>();
  const others = new Set<SpanNode>();
  const inOrder = calls.map((call) => ({ call, record: callRecordOf(call) })).sort(byPreference);
  for (const one of inOrder) {
    const keys = keysOfRecord(one.record);
    const candidates = keys.flatMap((key) => latestUpTo(kept.get(key) ?? [], one.record.endNs + TOLERANCE_NS));
    const same = candidates.find((other) => isSameCall(one.record, other.record) && isJoinable(one, other));
    if (same !== undefined) {
      takeOver(same.call, one.call);
      others.add(one.call.node);
      continue;
    }
    if (!one.record.isOwn) for (const key of keys) append(kept, key, one);
  }
  const records = inOrder.map(({ record }) => record);
  return { calls: calls.filter(({ node }) => !others.has(node)), others, records };
}

function byPreference(left: Recorded, right: Recorded): number {
  if (left.record.isOwn !== right.record.isOwn) return left.record.isOwn ? 1 : -1;
  return byStart(left.call.node, right.call.node);
}

function append(kept: Map<string, Recorded[]>, key: string, one: Recorded): void {
  const known = kept.get(key);
  if (known === undefined) kept.set(key, [one]);
  else known.push(one);
}

/** Returns, from records by start time, the last ones that begin up to a time. */
function latestUpTo(records: readonly Recorded[], timeNs: bigint): readonly Recorded[] {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.record.startNs ?? 0n) <= timeNs) low = middle + 1;
    else high = middle;
  }
  return records.slice(Math.max(0, low - MAX_TWIN_CANDIDATES), low);
}

/** Tells whether two records may be joined: of two spans of the application, neither may be inside the other. */
function isJoinable(left: Recorded, right: Recorded): boolean {
  const [one, other] = [left.call.node, right.call.node];
  return left.record.isOwn || right.record.isOwn || (!isBelow(one, other) && !isBelow(other, one));
}

function isBelow(start: SpanNode, wanted: SpanNode): boolean {
  const seen = new Set<SpanNode>();
  for (let node: SpanNode | undefined = start; node !== undefined && !seen.has(node); node = node.parent) {
    if (node === wanted) return true;
    seen.add(node);
  }
  return false;
}

/** Adds the details that another record of the same call has beyond this one. */
function takeOver(call: ModelCall, other: ModelCall): void {
  const { reading, node } = call;
  if (call.system.length === 0 && !call.hasInput) call.system = other.system;
  if (!call.hasInput) {
    call.body = other.body;
    call.hasInput = other.hasInput;
  }
  // A failed try is not the end of a call that was answered.
  if (call.output.length === 0 && other.output.length > 0) call.output = other.output;
  else if (call.output.length === 0 && other.reading.error !== undefined) reading.error ??= other.reading.error;
  call.agentName ??= other.agentName;
  if (other.reading.finishReason !== undefined) reading.finishReason ??= other.reading.finishReason;
  if (other.reading.responseId !== undefined) reading.responseId ??= other.reading.responseId;
  if (Object.keys(node.facts.usage).length === 0) node.facts = { ...node.facts, usage: other.node.facts.usage };
}
