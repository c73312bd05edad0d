import type { ModelCall } from './model-call.ts';
import { MAX_TWIN_CANDIDATES } from './limits.ts';

/**
 * Removes duplicates from two instrumentations of one call, if neither span is inside the other: they overlap in time
 * and have the same content. The call with more content stays; consecutive calls are two calls, whatever their content.
 * Expects and returns calls in call order.
 */
export function withoutOverlappingTwins(calls: readonly ModelCall[]): ModelCall[] {
  const running = new Map<string, ModelCall[]>();
  const dropped = new Set<ModelCall>();
  for (const call of calls) {
    const key = call.body.map(({ symbol }) => symbol).join(' ');
    const candidates = (running.get(key) ?? []).filter((other) => other.node.endNs > call.node.startNs);
    const twin = candidates.find((other) => call.node.endNs > other.node.startNs && isSameAnswer(call, other));
    if (twin === undefined) {
      running.set(key, [...candidates, call].slice(-MAX_TWIN_CANDIDATES));
      continue;
    }
    const [kept, other] = richness(call) > richness(twin) ? [call, twin] : [twin, call];
    dropped.add(other);
    running.set(key, [...candidates.filter((candidate) => candidate !== twin), kept]);
  }
  return calls.filter((call) => !dropped.has(call));
}

function isSameAnswer(left: ModelCall, right: ModelCall): boolean {
  if (left.hasInput !== right.hasInput) return false;
  if (left.output.length === 0 || right.output.length === 0) return true;
  return (
    left.output.length === right.output.length &&
    left.output.every(({ symbol }, index) => symbol === right.output[index]?.symbol)
  );
}

function richness(call: ModelCall): number {
  return call.output.length * 2 + call.system.length;
}

/**
 * Sorts calls into the order in which they are joined: by the time of their first content, then shorter history, then
 * end, then key. A span whose output alone counts has no content before its end.
 */
export function inCallOrder(calls: readonly ModelCall[]): ModelCall[] {
  const firstWord = ({ node, hasInput }: ModelCall): bigint => (hasInput ? node.startNs : node.endNs);
  return [...calls].sort((left, right) => {
    const [leftNs, rightNs] = [firstWord(left), firstWord(right)];
    if (leftNs !== rightNs) return leftNs < rightNs ? -1 : 1;
    if (left.body.length !== right.body.length) return left.body.length - right.body.length;
    if (left.node.endNs !== right.node.endNs) return left.node.endNs < right.node.endNs ? -1 : 1;
    return left.node.key < right.node.key ? -1 : 1;
  });
}
