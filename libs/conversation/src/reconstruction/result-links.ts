import type { Entry } from './entry.ts';
import { MAX_RESULT_DISTANCE } from './limits.ts';

/**
 * Links a tool result to its call: in its own thread, backwards, the nearest message with a call of its id. Without an
 * id, or if no call has it, the first call without a result in the nearest message.
 */
export function linkResult(result: Entry): void {
  const { toolCallId, name } = result.message;
  let byPosition: Entry['answers'];
  let distance = 0;
  for (let caller = result.previous; caller !== undefined && distance < MAX_RESULT_DISTANCE; caller = caller.previous) {
    distance += 1;
    const calls = caller.message.toolCalls ?? [];
    const open = [...calls.keys()].filter((index) => !caller.results.has(index));
    const named = toolCallId === undefined ? [] : [...calls.keys()].filter((index) => calls[index]?.id === toolCallId);
    const byId = named.find((index) => open.includes(index)) ?? named[0];
    if (byId !== undefined) return answer(result, caller, byId);
    const first = open.find((index) => calls[index]?.name === name) ?? open[0];
    if (first !== undefined) byPosition ??= { caller, callIndex: first };
    if (toolCallId === undefined && byPosition !== undefined) break;
  }
  if (byPosition !== undefined) answer(result, byPosition.caller, byPosition.callIndex);
}

function answer(result: Entry, caller: Entry, callIndex: number): void {
  result.answers = { caller, callIndex };
  // An edited history may contain several versions of one result; the first belongs to the call.
  if (!caller.results.has(callIndex)) caller.results.set(callIndex, result);
}
