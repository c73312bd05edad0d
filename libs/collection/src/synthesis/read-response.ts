import type { RefusalReason, ToolCall } from '@clew/contracts';
import { parseStrictly } from '@clew/kernel';
import type { SaidMessage } from '../example-messages.ts';
import type { Mistake } from '../mistakes/index.ts';
import type { ResponseAnswer } from './answers.ts';

const MAX_DEPTH = 10;
const MAX_VALUES = 2_000;

/** Reads the message that a model wrote, said by the same agent, or tells why there is none. */
export function readResponse(
  { known, content, toolCalls }: ResponseAnswer,
  { message: { index, name } }: Mistake,
): SaidMessage | RefusalReason {
  const words = content?.trim() ?? '';
  if (!known || (words === '' && toolCalls.length === 0)) return 'model_declined';
  const calls: ToolCall[] = [];
  for (const [place, call] of toolCalls.entries()) {
    const given = parseStrictly(call.arguments.trim() || '{}', { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES });
    if (!('value' in given) || !isObject(given.value)) return 'example_invalid';
    // A training run needs ids, by which results name their calls; no other call of the conversation has this one.
    calls.push({ id: `call_${index}_${place + 1}`, name: call.name, arguments: given.value });
  }
  return {
    role: 'assistant',
    content: words,
    ...(name === undefined ? {} : { name }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
