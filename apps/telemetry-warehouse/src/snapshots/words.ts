import type { ConversationMessage, Score, SnapshotMessage, SnapshotScore } from '@clew/contracts';
import { ownHashOf } from '@clew/conversation';
import { scoreHashOf } from '../scores/index.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/**
 * Content of a snapshot without the words of expired messages. Index, role, place, hash and the facts about their
 * creation stay; texts, arguments, reasoning and attachments are removed. Descriptions of tools are removed when the
 * last message has expired, and so are comments of scores, or earlier if they were given before `scoresBefore`. The
 * hashes of the content stay the same. Safe to repeat.
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

/** Message as callers see it. */
export function shownMessage({ hash: _hash, ...message }: SnapshotMessage): ConversationMessage {
  return message;
}

export function shownScore({ hash: _hash, ...score }: SnapshotScore): Score {
  return score;
}
