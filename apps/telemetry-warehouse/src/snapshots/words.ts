import type { ConversationMessage, Score, SnapshotMessage, SnapshotScore } from '@clew/contracts';
import { ownHashOf } from '@clew/conversation';
import { scoreHashOf } from '../scores/index.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/**
 * A snapshot's content without the words of the messages that have expired: index, role, place, the hash, and what is
 * known of how they were made stay, texts, arguments, reasoning and attachments do not. What tools were described to do
 * and what scores say in words goes with the last of the messages, or
 * once they were given before `scoresBefore`. The hashes of the content are the same as before.
 * Safe to repeat.
 */
export function withoutWords(
  { messages, tools, scores }: SnapshotContent,
  isExpired: (message: SnapshotMessage) => boolean = () => true,
  scoresBefore = 0,
): SnapshotContent {
  const left = messages.map((message) => (isExpired(message) ? wordless(message) : message));
  if (!left.every(({ textExpired }) => textExpired)) {
    const judged = scores.map((score) => (score.createdAt < scoresBefore ? uncommented(score) : score));
    return { messages: left, tools, scores: judged };
  }
  return {
    messages: left,
    tools: tools.map(({ name }) => ({ name, parameters: null })),
    scores: scores.map(uncommented),
  };
}

function wordless(message: SnapshotMessage): SnapshotMessage {
  if (message.textExpired) return message;
  const { content: _content, toolCalls, reasoning: _reasoning, attachments: _attachments, error, ...kept } = message;
  return {
    ...kept,
    content: '',
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: null })) }),
    ...(error === undefined ? {} : { error: { type: error.type, message: '' } }),
    hash: ownHashOf(message),
    textExpired: true,
  };
}

function uncommented({ comment, ...score }: SnapshotScore): SnapshotScore {
  return comment === undefined ? score : { ...score, hash: scoreHashOf({ ...score, comment }), textExpired: true };
}

/** A message as callers see it. */
export function shownMessage({ hash: _hash, ...message }: SnapshotMessage): ConversationMessage {
  return message;
}

export function shownScore({ hash: _hash, ...score }: SnapshotScore): Score {
  return score;
}
