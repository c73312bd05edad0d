import { RECALLED_KNOWLEDGE, type ConversationMessage, type KnowledgeSources } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { foldedText } from './folded-text.ts';
import type { TextRange } from './quote-lock.ts';

/** Sources of a goal that trusts no system prompt. */
export const PARTICIPANTS_ONLY: KnowledgeSources = { systemPrompt: false };

/** Patterns of text that addresses a reader of the conversation instead of its participants. Matched on folded text. */
const INSTRUCTIONS_TO_READERS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(instructions?|rules?|prompts?|guidelines?|directions?)\b/s,
  /\b(new|updated|real|actual) (system )?(instructions?|prompt)\b/,
  /\b(answer|respond|reply|output)\b.{0,30}\b(with|in|only|using)\b.{0,20}\bjson\b/s,
  /\b(you|the) (are|as) (now )?(an? )?(extractor|extraction model|knowledge (model|extractor|base))\b/,
  /\b(extract|record|save|store|add|write|emit|output|report)\b.{0,40}\b(knowledge item|(this|these|the following) items?|the knowledge base|as knowledge|as a fact|as facts|to (your|the) knowledge)\b/s,
  /\b(note|message|attention|instructions?|reminder) (to|for) (the )?(ai|llm|model|extractor|language model|system)\b/,
  /<\|?(im_start|im_end|system|endoftext|eot_id|start_header_id)\|?>/,
  /\[\/?inst\]|<<\/?sys>>|<<<(data|end)\b/,
  /^[^\S\n\r\u2028\u2029]*(#{1,4}[^\S\n\r\u2028\u2029]*)?(system|developer)( prompt| message)?\s*:/m,
];

/** Member of an answer that an extraction model is to give. */
const MEMBER_OF_ANSWER = /"?\b(title|content|kind|authority|confidence|evidence|messageindex|quote)\b"?\s{0,20}:/g;
/** Value or member that only such an answer has. */
const ONLY_IN_ANSWERS =
  /\b(?:messageindex|user_stated|tool_observed|assistant_inferred)\b|\bkind"?\s{0,20}:\s{0,20}"?(?:fact|preference|procedure|correction|policy)\b/;
/** Distinct members, close to one another, that make up an answer. */
const MEMBERS_OF_ANSWER = 3;
/** Characters within which they stand. */
const ANSWER_REACH = 800;

/**
 * Tells whether a folded text holds an answer in the form that an extraction model is to give: its members, close
 * together, and one that ordinary records do not have. Ordinary JSON with items, titles or contents is none.
 */
function holdsAnswer(folded: string): boolean {
  if (!ONLY_IN_ANSWERS.test(folded)) return false;
  const places = new Map<string, number>();
  for (const { 1: member = '', index } of folded.matchAll(MEMBER_OF_ANSWER)) {
    places.set(member, index);
    const near = [...places.values()].filter((place) => index - place <= ANSWER_REACH);
    if (near.length >= MEMBERS_OF_ANSWER) return true;
  }
  return false;
}

/** Direction controls and invisible tags, which make a person see another text than a model. */
const HIDDEN_TEXT = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** Line after which a text belongs to another author. */
const QUOTED_FROM_HERE =
  /^[ \t]*(-{2,} ?(original message|forwarded message|begin forwarded message).*|begin forwarded message:.*|from: .+|on .{5,120} wrote:.*)$/im;
const QUOTED_LINE = /^[ \t]*[>|].*$/gm;

/**
 * Finds the parts of a message that cannot support Knowledge by themselves: all of a system prompt that the project does
 * not vouch for, of retrieved or recalled text, and of text that instructs its reader; and parts that are packed
 * Knowledge, or quoted from mail, which are not the sender's. The detection is incomplete; undetected text must still
 * match its quotes.
 */
export function taintedRanges(
  { role, origin, content }: Pick<ConversationMessage, 'role' | 'origin' | 'content'>,
  sources: KnowledgeSources = PARTICIPANTS_ONLY,
): TextRange[] {
  const whole = [{ start: 0, end: content.length }];
  // A system prompt tells its model how to answer; where the project vouches for it, that plants nothing.
  if (role === 'system' && sources.systemPrompt && origin === undefined) return [];
  if (role === 'system' || origin !== undefined || speaksToReaders(content)) return whole;
  const lines = [...content.matchAll(QUOTED_LINE)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
  const from = QUOTED_FROM_HERE.exec(content)?.index;
  const quoted = from === undefined ? [] : [{ start: from, end: content.length }];
  return merged([...lines, ...quoted, ...recalledIn(content)]);
}

/** Parts of a text that are packed Knowledge, up to the next empty line. */
function recalledIn(content: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let start = content.indexOf(RECALLED_KNOWLEDGE); start !== -1;) {
    const next = content.indexOf('\n\n', start);
    const end = next === -1 ? content.length : next;
    ranges.push({ start, end });
    start = content.indexOf(RECALLED_KNOWLEDGE, end);
  }
  return ranges;
}

/** Ranges in order, those that touch joined. */
function merged(ranges: readonly TextRange[]): TextRange[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Hash of a system prompt, by which policies that it states are known. */
export function promptHashOf(content: string): string {
  return sha256Hex(content.toWellFormed()).slice(0, 32);
}

/** Tells whether a text addresses whoever reads the conversation: by instructions, an answer for it, or hidden text. */
export function speaksToReaders(content: string): boolean {
  if (HIDDEN_TEXT.test(content)) return true;
  const folded = withoutEscapes(foldedText(content));
  return holdsAnswer(folded) || INSTRUCTIONS_TO_READERS.some((pattern) => pattern.test(folded));
}

/** Tells whether a part of a message is tainted, even partially. */
export function isTainted(
  message: Parameters<typeof taintedRanges>[0],
  range: TextRange,
  sources?: KnowledgeSources,
): boolean {
  return taintOf(message, sources)(range);
}

/** Creates a test for tainted parts of a message; the message is analyzed once for any number of parts. */
export function taintOf(
  message: Parameters<typeof taintedRanges>[0],
  sources?: KnowledgeSources,
): (range: TextRange) => boolean {
  const ranges = taintedRanges(message, sources);
  return ({ start, end }) => {
    const next = ranges[firstEndingAfter(ranges, start)];
    return next !== undefined && next.start < end && start < next.end;
  };
}

/** Returns the index of the first range that ends after a place; the number of ranges if none does. */
function firstEndingAfter(ranges: readonly TextRange[], place: number): number {
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.end ?? 0) > place) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Removes escapes: tools return JSON, also nested in JSON, and escaped instructions mean the same. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\+(["'/nrt])?/g, (run, escaped?: string) => {
    if (escaped === undefined) return run;
    return 'nrt'.includes(escaped) ? '\n' : escaped;
  });
}
