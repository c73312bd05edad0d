import type { ConversationMessage } from '@clew/contracts';
import { decodeKeys, encodeKeys, estimateTokens, messageKeysOf, type ShownPart } from '@clew/knowledge';

/** Messages that one model call shows. */
export interface Chunk {
  /** End of the messages before `fresh`; it was read before and is shown for context only. */
  context: ShownPart[];
  fresh: ShownPart[];
}

export interface ExtractionPlan {
  /** Estimated number of tokens that were not read yet. */
  newTokens: number;
  chunks: Chunk[];
  /**
   * Keys of the messages that count as read once that many chunks were read, encoded as extraction messages carry them.
   */
  readAfter(chunks: number): string;
  /** Those of them that are system prompts, encoded in the same way. */
  promptsAfter(chunks: number): string;
  /** Whether nothing new is left once all chunks were read. */
  isComplete: boolean;
}

export interface PlanOptions {
  contextLength: number | null;
  alreadyRead: string;
  /** Whether system prompts are read too. */
  systemPrompt?: boolean | undefined;
}

interface Unread {
  message: ConversationMessage;
  key: string;
}
interface PlannedChunk extends Chunk {
  characters: number;
  /** Messages that end in this chunk. */
  ending: Unread[];
}

/**
 * Maximum chunks, and so model calls for new text, of one extraction; the rest of a longer text is left to the next
 * one.
 */
export const MAX_CHUNKS = 4;
const DEFAULT_CHUNK_CHARACTERS = 24_000;
const MIN_CHUNK_CHARACTERS = 2_000;
const CHARACTERS_PER_TOKEN = 3;
const MAX_ANSWER_TOKENS = 8_000;
/** The same for a model whose context length is not known. */
const CAUTIOUS_ANSWER_TOKENS = 3_000;
const SHARE_OF_ANSWER = 0.25;
/** Share of the context length for new text; the rest is for instructions, context and answer. */
const SHARE_OF_CONTEXT_LENGTH = 0.4;
/** Characters of context: enough to show what a "yes" answers, and few compared with the new text of an extraction. */
const CONTEXT_CHARACTERS = 1_200;
const MAX_CONTEXT_MESSAGES = 4;
/** Parts of one message that are read; of a longer message, only the first ones and the last one. */
const MAX_PARTS_OF_MESSAGE = 3;
/** Characters that a prompt adds to a message: its index, role, name and time, and a line break. */
const CHARACTERS_AROUND = 48;

/** Maximum number of characters of new text in one call to a model with that context length (in tokens). */
export function chunkCharactersOf(contextLength: number | null): number {
  if (contextLength === null) return DEFAULT_CHUNK_CHARACTERS;
  const fitting = Math.floor(contextLength * CHARACTERS_PER_TOKEN * SHARE_OF_CONTEXT_LENGTH);
  return Math.max(MIN_CHUNK_CHARACTERS, Math.min(DEFAULT_CHUNK_CHARACTERS, fitting));
}

/** Maximum length in tokens of the answer to one call, so that a small model that does not stop is cut off early. */
export function answerTokensOf(contextLength: number | null): number {
  if (contextLength === null) return CAUTIOUS_ANSWER_TOKENS;
  return Math.min(MAX_ANSWER_TOKENS, Math.floor(contextLength * SHARE_OF_ANSWER));
}

/**
 * Plans which messages to read in which calls: each unread message once, with a little of the text before it. System
 * prompts teach nothing, so they count as read without being shown, unless the goal takes them as the project's words.
 */
export function planExtraction(
  messages: readonly ConversationMessage[],
  { contextLength, alreadyRead, systemPrompt = false }: PlanOptions,
): ExtractionPlan {
  const unread = unreadOf(messages, alreadyRead);
  const shown = unread.filter(({ message }) => (systemPrompt || message.role !== 'system') && message.content !== '');
  const planned = chunksOf(shown, chunkCharactersOf(contextLength));
  const kept = planned.slice(0, MAX_CHUNKS);
  const endingIn = (chunks: number) => kept.slice(0, chunks).flatMap(({ ending }) => ending);
  const silent = unread.filter((each) => !shown.includes(each)).map(({ key }) => key);
  for (const chunk of kept) chunk.context = contextOf(chunk, messages);
  return {
    newTokens: shown.reduce((sum, { message }) => sum + estimateTokens(message.content), 0),
    chunks: kept.map(({ context, fresh }) => ({ context, fresh })),
    readAfter: (chunks) => encodeKeys([...silent, ...endingIn(chunks).map(({ key }) => key)]),
    promptsAfter: (chunks) =>
      encodeKeys(endingIn(chunks).flatMap(({ message, key }) => (message.role === 'system' ? [key] : []))),
    isComplete: planned.length <= MAX_CHUNKS,
  };
}

/** Messages that were not read yet. A later message with the same words is a message of its own, and unread. */
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
  for (const each of unread) {
    const { message } = each;
    for (const part of partsOf(message, maxCharacters)) {
      const characters = part.range.end - part.range.start + CHARACTERS_AROUND;
      const last = chunks.at(-1);
      if (last !== undefined && last.characters + characters <= maxCharacters + CHARACTERS_AROUND) {
        last.fresh.push(part);
        last.characters += characters;
      } else {
        chunks.push({ context: [], fresh: [part], characters, ending: [] });
      }
    }
    // A message counts as read with the chunk that holds its last part.
    chunks.at(-1)?.ending.push(each);
  }
  return chunks;
}

/** Parts of a message that are read: the whole message, all of its parts, or only its beginning and its end. */
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

/** Nearest position at or after `at` that does not split a surrogate pair. */
function boundaryAt(text: string, at: number): number {
  const isWithin = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
  return isWithin && at > 0 ? at + 1 : at;
}

/** Ends of the last messages before the new text, limited in number and in total length. */
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
