import type { Entry } from './entry.ts';
import { MAX_RESULT_DISTANCE } from './limits.ts';

/**
 * Finds the call that a tool result answers: in its own thread, backwards, the nearest call with its id, those without
 * a result first; without an id, or where no call has it, the nearest message's first call without a result.
 */
export function linkResult(result: Entry): void {
  const { toolCallId, name } = result.message;
  let answeredBefore: Entry['answers'];
  let byPosition: Entry['answers'];
  let distance = 0;
  for (let caller = result.previous; caller !== undefined && distance < MAX_RESULT_DISTANCE; caller = caller.previous) {
    distance += 1;
    const calls = caller.message.toolCalls ?? [];
    const open = calls.map((_, index) => index).filter((index) => !caller.results.has(index));
    const withId =
      toolCallId === undefined ? [] : calls.map((_, index) => index).filter((index) => calls[index]?.id === toolCallId);
    const openWithId = withId.find((index) => open.includes(index));
    if (openWithId !== undefined) {
      answer(result, { caller, callIndex: openWithId });
      return;
    }
    if (withId[0] !== undefined) answeredBefore ??= { caller, callIndex: withId[0] };
    const positional = open.find((index) => calls[index]?.name === name) ?? open[0];
    if (positional !== undefined) byPosition ??= { caller, callIndex: positional };
    if (toolCallId === undefined && byPosition !== undefined) break;
  }
  const answers = answeredBefore ?? byPosition;
  if (answers !== undefined) answer(result, answers);
}

function answer(result: Entry, answers: NonNullable<Entry['answers']>): void {
  result.answers = answers;
  // Of several versions of one result (an edited history) the first is the call's.
  if (!answers.caller.results.has(answers.callIndex)) answers.caller.results.set(answers.callIndex, result);
}
