import type { SnapshotMessage } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { attachmentIdentity, canonicalText } from '../dialects/index.ts';
import { resultPositions } from './result-positions.ts';

type Words = Pick<SnapshotMessage, 'role' | 'content' | 'toolCalls' | 'attachments'>;
type SaidMessage = Words & Pick<SnapshotMessage, 'toolCallId' | 'hash'>;

/** Length of an id: 128 bits in hex. */
const HASH_LENGTH = 32;

/**
 * Hash of one message's content: role, text, tool calls with their arguments, and the identities of attachments. Ids,
 * names, times, spans, models, errors and finish reasons do not count, because dialects differ in them. The hash is
 * stored with the message, so that it outlives the text.
 */
export function messageHashOf({ role, content, toolCalls = [], attachments = [] }: Words): string {
  const calls = toolCalls.map((call) => [call.name, call.arguments]);
  return sha256Hex(canonicalText([role, content, calls, attachments.map(attachmentIdentity)])).slice(0, HASH_LENGTH);
}

/** Returns the hash that a message carries, or computes it from its content. */
export function ownHashOf(message: SaidMessage): string {
  return message.hash ?? messageHashOf(message);
}

/**
 * Hash of a conversation's content, made of the hashes of its messages and of the position of the call that each result
 * answers: it can be computed without the text.
 */
export function contentHashOf(messages: readonly SaidMessage[]): string {
  const answers = resultPositions(messages);
  return sha256Hex(
    messages.map((message, index) => `${ownHashOf(message)} ${answers[index]?.join(':') ?? ''}`).join('\n'),
  );
}
