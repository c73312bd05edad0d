import { placeOf } from '@clew/kernel';
import type { Anchor } from './anchor.ts';
import { tailOf } from './context-tree.ts';
import type { Entry } from './entry.ts';
import { MAX_DETOUR_LOOKBACK } from './limits.ts';
import type { Said } from './message-table.ts';

/**
 * Finds the messages of a detour that are known already: they precede the known context, or are instructions, or are
 * rewritten versions of the message in their place.
 */
export function knownBefore(
  detour: NonNullable<Anchor['detour']>,
  instructions: ReadonlyMap<number, Entry>,
): (said: Said, index: number) => Entry | undefined {
  const [, ...before] = tailOf(detour.to, MAX_DETOUR_LOOKBACK).map(({ entry }) => entry as Entry);
  const bySymbol = new Map(before.map((entry) => [entry.symbol, entry]));
  const byCallId = new Map(before.map((entry) => [entry.message.toolCallId, entry]));
  return ({ symbol, message }, index) => {
    const { role, toolCallId } = message;
    // A result that was shortened to save room is the result of the same call.
    const result = role === 'tool' && toolCallId !== undefined ? byCallId.get(toolCallId) : undefined;
    const inPlace = before[detour.messages.length - index - 1];
    return (
      bySymbol.get(symbol) ??
      (role === 'system' ? instructions.get(symbol) : undefined) ??
      result ??
      (isRewritten(inPlace, message.content, role) ? inPlace : undefined)
    );
  };
}

/**
 * Tells whether a message is a rewritten one: an application may send a question with retrieved documents, and keep
 * only the question in its history.
 */
function isRewritten(entry: Entry | undefined, content: string, role: string): boolean {
  if (entry?.message.role !== role || role === 'assistant' || content === '') return false;
  return placeOf(entry.message.content, content) !== -1;
}
