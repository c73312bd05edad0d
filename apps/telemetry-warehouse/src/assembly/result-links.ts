import type { Entry } from './entry.ts';
import { MAX_RESULT_DISTANCE } from './limits.ts';

/**
 * Finds the call that a tool result answers: in its own thread, backwards, the nearest call with its id that has no
 * result yet; without an id, or where no call has it, the nearest message's first call without one.
 */
export function linkResult(result: Entry): void {
  const { toolCallId, name } = result.message;
  let byPosition: Entry['answers'];
  let byId: Entry['answers'];
  let distance = 0;
  for (let caller = result.previous; caller !== undefined && distance < MAX_RESULT_DISTANCE; caller = caller.previous) {
    distance += 1;
    const calls = caller.message.toolCalls;
    if (calls === undefined) continue;
    const open = calls.map((_, index) => index).filter((index) => !caller.results.has(index));
    const withId = toolCallId === undefined ? undefined : open.find((index) => calls[index]?.id === toolCallId);
    if (withId !== undefined) {
      byId = { caller, callIndex: withId };
      break;
    }
    const positional = open.find((index) => calls[index]?.name === name) ?? open[0];
    if (positional !== undefined) byPosition ??= { caller, callIndex: positional };
    if (toolCallId === undefined && byPosition !== undefined) break;
  }
  const answers = byId ?? byPosition;
  if (answers === undefined) return;
  result.answers = answers;
  answers.caller.results.set(answers.callIndex, result);
}
