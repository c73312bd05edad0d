import type { ConversationMessage } from '@clew/contracts';
import { foldedText } from './folded-text.ts';
import type { TextRange } from './quote-lock.ts';

/** What addresses whoever reads a conversation instead of whoever takes part in it. Matched on folded text. */
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
  // Answers in the form that a reader is to give.
  /"?(items|evidence|messageindex)"?\s*:\s*\[\s*\{/,
  /"(title|content|kind|authority)"\s*:\s*"[^"]*"\s*,\s*"(title|content|kind|authority|confidence)"\s*:/s,
];

/** Controls of direction and invisible tags: a person sees another text than a model. */
const HIDDEN_TEXT = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** From such a line on, a text is somebody else's. */
const QUOTED_FROM_HERE =
  /^[ \t]*(-{2,} ?(original message|forwarded message|begin forwarded message).*|begin forwarded message:.*|from: .+|on .{5,120} wrote:.*)$/im;
const QUOTED_LINE = /^[ \t]*[>|].*$/gm;

/**
 * The parts of a message on which alone no Knowledge may rest: all of a system prompt, of what was looked up or
 * recalled, and of what gives instructions to whoever reads it; and what a message quotes of a mail, which is not its
 * sender's. Nothing is certain to be found that way: what is not, is still held to its quotes.
 */
export function taintedRanges({
  role,
  origin,
  content,
}: Pick<ConversationMessage, 'role' | 'origin' | 'content'>): TextRange[] {
  const whole = [{ start: 0, end: content.length }];
  if (role === 'system' || origin !== undefined || HIDDEN_TEXT.test(content)) return whole;
  const folded = withoutEscapes(foldedText(content));
  if (INSTRUCTIONS_TO_READERS.some((pattern) => pattern.test(folded))) return whole;
  const lines = [...content.matchAll(QUOTED_LINE)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
  const from = QUOTED_FROM_HERE.exec(content)?.index;
  return from === undefined ? lines : [...lines, { start: from, end: content.length }];
}

/** Whether some of a part of a message is tainted. */
export function isTainted(message: Parameters<typeof taintedRanges>[0], range: TextRange): boolean {
  return taintOf(message)(range);
}

/** Tells of parts of a message whether some of them is tainted; the message is read once, whatever their number. */
export function taintOf(message: Parameters<typeof taintedRanges>[0]): (range: TextRange) => boolean {
  const ranges = taintedRanges(message);
  // Ranges are in their order, and only the last may overlap others: it goes to the end of the message.
  const last = ranges.at(-1);
  return ({ start, end }) => {
    const next = ranges[firstEndingAfter(ranges, start)];
    return [next, last].some((range) => range !== undefined && range.start < end && start < range.end);
  };
}

/** The index of the first range that ends after a place; their number where none does. */
function firstEndingAfter(ranges: readonly TextRange[], place: number): number {
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.end ?? 0) > place) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Tools give JSON, and JSON within JSON: what is escaped in it reads the same. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\+(["'/nrt])?/g, (run, escaped?: string) => {
    if (escaped === undefined) return run;
    return 'nrt'.includes(escaped) ? '\n' : escaped;
  });
}
