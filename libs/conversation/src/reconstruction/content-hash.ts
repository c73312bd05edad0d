import type { SnapshotMessage } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { attachmentIdentity, canonicalText } from '../dialects/index.ts';
import { resultPositions } from './result-positions.ts';

type Words = Pick<SnapshotMessage, 'role' | 'content' | 'toolCalls' | 'attachments'>;
type SaidMessage = Words & Pick<SnapshotMessage, 'toolCallId' | 'hash'>;

/** As much as an id has: 128 bits. */
const HASH_LENGTH = 32;

/**
 * A message's own hash, of what it says: role, text, tool calls with their arguments, and attachments by what they are.
 * Ids, names, times, spans, models, errors and finish reasons do not count, since dialects differ in them. It is kept
 * with the message, so that it is there when the words are not.
 */
export function messageHashOf({ role, content, toolCalls = [], attachments = [] }: Words): string {
  const calls = toolCalls.map((call) => [call.name, call.arguments]);
  return sha256Hex(canonicalText([role, content, calls, attachments.map(attachmentIdentity)])).slice(0, HASH_LENGTH);
}

/** The hash that a message carries, else the one that its words give. */
export function ownHashOf(message: SaidMessage): string {
  return message.hash ?? messageHashOf(message);
}

/**
 * The hash of what a conversation says, made of the hashes of its messages, and of which call each result answers by
 * position: none of it needs the words.
 */
export function contentHashOf(messages: readonly SaidMessage[]): string {
  const answers = resultPositions(messages);
  return sha256Hex(
    messages.map((message, index) => `${ownHashOf(message)} ${answers[index]?.join(':') ?? ''}`).join('\n'),
  );
}
