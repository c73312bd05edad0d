import type { ConversationMessage } from '@clew/contracts';
import { decodeKeys, encodeKeys, estimateTokens, messageKeysOf, type ShownPart } from '@clew/knowledge';

/** What one call shows a model. */
export interface Chunk {
  /** What precedes it, of what was read before. */
  context: ShownPart[];
  fresh: ShownPart[];
}

export interface ReadingPlan {
  /** About how many tokens nobody has read yet. */
  newTokens: number;
  chunks: Chunk[];
  /** Which messages are read once so many of the chunks are, as the messages of extraction carry it. */
  readAfter(chunks: number): string;
  /** Whether nothing new is left once all chunks are read. */
  isComplete: boolean;
}

export interface PlanOptions {
  contextLength: number | null;
  alreadyRead: string;
}

interface Unread {
  message: ConversationMessage;
  key: string;
}
interface PlannedChunk extends Chunk {
  characters: number;
  /** Of the messages that end in it. */
  keys: string[];
}

/** One reading takes no more calls for what is new; of what is longer, more is read by another. */
export const MAX_CHUNKS = 4;
const DEFAULT_CHUNK_CHARACTERS = 24_000;
const MIN_CHUNK_CHARACTERS = 2_000;
const CHARACTERS_PER_TOKEN = 3;
const MAX_ANSWER_TOKENS = 3_000;
const SHARE_OF_ANSWER = 0.25;
/** The rest is for instructions, context and answer. */
const SHARE_OF_CONTEXT_LENGTH = 0.4;
/** Enough to see what "yes" answers, and little against what has to have gathered before it is read. */
const CONTEXT_CHARACTERS = 1_200;
const MAX_CONTEXT_MESSAGES = 4;
/** Beyond so many parts, of a message only its first ones and its last one are read. */
const MAX_PARTS_OF_MESSAGE = 3;
/** Index, role and line break of a message in a prompt. */
const CHARACTERS_AROUND = 16;

/** How much of what is new a model with that context is shown in one call. */
export function chunkCharactersOf(contextLength: number | null): number {
  if (contextLength === null) return DEFAULT_CHUNK_CHARACTERS;
  const fitting = Math.floor(contextLength * CHARACTERS_PER_TOKEN * SHARE_OF_CONTEXT_LENGTH);
  return Math.max(MIN_CHUNK_CHARACTERS, Math.min(DEFAULT_CHUNK_CHARACTERS, fitting));
}

/** How long the answer to one call may be: a small model that does not find an end is stopped early. */
export function answerTokensOf(contextLength: number | null): number {
  return Math.min(MAX_ANSWER_TOKENS, Math.floor((contextLength ?? Infinity) * SHARE_OF_ANSWER));
}

/**
 * What of a conversation is to be read, in which calls: each message that was not read before once, with a little of
 * what precedes it. System prompts teach nothing, and are read without being shown.
 */
export function planReading(
  messages: readonly ConversationMessage[],
  { contextLength, alreadyRead }: PlanOptions,
): ReadingPlan {
  const unread = unreadOf(messages, alreadyRead);
  const shown = unread.filter(({ message }) => message.role !== 'system' && message.content !== '');
  const planned = chunksOf(shown, chunkCharactersOf(contextLength));
  const kept = planned.slice(0, MAX_CHUNKS);
  const silent = unread.filter((each) => !shown.includes(each)).map(({ key }) => key);
  for (const chunk of kept) chunk.context = contextOf(chunk, messages);
  return {
    newTokens: shown.reduce((sum, { message }) => sum + estimateTokens(message.content), 0),
    chunks: kept.map(({ context, fresh }) => ({ context, fresh })),
    readAfter: (chunks) => encodeKeys([...silent, ...kept.slice(0, chunks).flatMap(({ keys }) => keys)]),
    isComplete: planned.length <= MAX_CHUNKS,
  };
}

/** Those with words that nobody has read, the same words again among them. */
function unreadOf(messages: readonly ConversationMessage[], alreadyRead: string): Unread[] {
  const read = decodeKeys(alreadyRead);
  const keys = messageKeysOf(messages);
  return messages.flatMap((message, position) => {
    const key = keys[position] ?? null;
    return key === null || read.has(key) ? [] : [{ message, key }];
  });
}

function chunksOf(unread: readonly Unread[], maxCharacters: number): PlannedChunk[] {
  const chunks: PlannedChunk[] = [];
  for (const { message, key } of unread) {
    for (const part of partsOf(message, maxCharacters)) {
      const characters = part.range.end - part.range.start + CHARACTERS_AROUND;
      const last = chunks.at(-1);
      if (last !== undefined && last.characters + characters <= maxCharacters + CHARACTERS_AROUND) {
        last.fresh.push(part);
        last.characters += characters;
      } else {
        chunks.push({ context: [], fresh: [part], characters, keys: [] });
      }
    }
    // Its last part is in that chunk: only then it is read.
    chunks.at(-1)?.keys.push(key);
  }
  return chunks;
}

/** A message as far as it is read: whole, in parts, or its beginning and its end. */
function partsOf(message: ConversationMessage, size: number): ShownPart[] {
  const { length } = message.content;
  const count = Math.ceil(length / size);
  const isCut = count > MAX_PARTS_OF_MESSAGE;
  const starts = Array.from({ length: Math.min(count, MAX_PARTS_OF_MESSAGE) }, (_, part) =>
    isCut && part === MAX_PARTS_OF_MESSAGE - 1 ? length - size : part * size,
  );
  return starts.map((start) => ({
    message,
    range: {
      start: boundaryAt(message.content, start),
      end: boundaryAt(message.content, Math.min(start + size, length)),
    },
  }));
}

/** The nearest place at or after it that does not cut a character. */
function boundaryAt(text: string, at: number): number {
  const isWithin = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
  return isWithin && at > 0 ? at + 1 : at;
}

/** The ends of the last messages before what is new, so many and so long in all. */
function contextOf({ fresh }: Chunk, messages: readonly ConversationMessage[]): ShownPart[] {
  const first = fresh[0]?.message;
  const position = first === undefined ? 0 : messages.indexOf(first);
  let room = CONTEXT_CHARACTERS;
  const context: ShownPart[] = [];
  for (const message of messages.slice(0, position).toReversed()) {
    if (message.role === 'system' || message.content === '') continue;
    if (context.length >= MAX_CONTEXT_MESSAGES || room <= 0) break;
    const { length } = message.content;
    const start = boundaryAt(message.content, Math.max(0, length - room));
    context.unshift({ message, range: { start, end: length } });
    room -= length - start + CHARACTERS_AROUND;
  }
  return context;
}
