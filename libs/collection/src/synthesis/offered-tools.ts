import type { ConversationSnapshot, RefusalReason, SnapshotMessage } from '@clew/contracts';
import { schemaBreaches } from '@clew/rules';
import type { SaidMessage } from '../example-messages.ts';

/**
 * Checks the calls of a response: each tool was offered, or had been called before, and its arguments fit the parameters
 * that it declares.
 */
export function brokenCall(
  { toolCalls = [] }: SaidMessage,
  { tools }: Pick<ConversationSnapshot, 'tools'>,
  before: readonly SnapshotMessage[],
): RefusalReason | undefined {
  const parametersOf = new Map(tools.map(({ name, parameters }) => [name, parameters]));
  const used = new Set(before.flatMap((message) => (message.toolCalls ?? []).map(({ name }) => name)));
  if (toolCalls.some(({ name }) => !parametersOf.has(name) && !used.has(name))) return 'unknown_tool';
  const isBroken = toolCalls.some(
    ({ name, arguments: given }) => schemaBreaches(given, parametersOf.get(name)).length > 0,
  );
  return isBroken ? 'example_invalid' : undefined;
}
