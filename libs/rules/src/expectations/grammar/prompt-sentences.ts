/** Sentence of a system prompt, with its context. */
export interface PromptSentence {
  /** Exact substring of the prompt. */
  readonly text: string;
  /** Introduction of the sentence: the line with a colon before its list, or else its heading. */
  readonly leadIn: string;
  /** True if the next sentence takes something back (`However, ...`, `Exception: ...`). */
  readonly hasException: boolean;
  /** True if the sentence is part of an example or of code, and so no instruction. */
  readonly isExample: boolean;
}

const MAX_PROMPT_LENGTH = 100_000;

const LIST_MARKER = /^[ \t]*(?:[-*•–—+]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+/;
const HEADING =
  /^[ \t]*(?:#{1,6}[ \t]+\S.*|(?:\*\*[^*]{1,80}\*\*:?|__[^_]{1,80}__:?|[A-Z][A-Z '&/-]{2,60}:?|\[[^\]]{1,80}\]|<\/?[A-Za-z][\w -]{0,60}>)[ \t]*)$/;
const UNDERLINE = /^[ \t]*(?:[-=_*]{3,})[ \t]*$/;
const EXAMPLE_HEADING = /\b(?:examples?|samples?|few.?shot|transcripts?|dialogues?|demonstrations?)\b/i;
const SPEAKER_LINE = /^[ \t]*(?:user|human|customer|assistant|agent|ai|bot|q|a|input|output)\s*:/i;
const FENCE = /^[ \t]*(?:```|~~~)/;
const EXCEPTION =
  /^\W*(?:exceptions?\b|except\b|the only exception|however\b|unless\b|this (?:does not|doesn't) apply|but\b|apart from|you (?:may|can) skip)/i;

interface Block {
  start: number;
  end: number;
  leadIn: string;
  isExample: boolean;
}

/** Splits a prompt as people write them: headings, lists in any style, paragraphs broken over several lines. */
export function promptSentences(prompt: string): PromptSentence[] {
  const text = prompt.slice(0, MAX_PROMPT_LENGTH);
  const sentences = blocksOf(text).flatMap((block) =>
    sentencesIn(text, block).map((sentence) => ({ text: sentence, leadIn: block.leadIn, isExample: block.isExample })),
  );
  return sentences.map((sentence, index) => ({
    ...sentence,
    hasException: EXCEPTION.test(sentences[index + 1]?.text ?? ''),
  }));
}

/** State of headings and lists while the lines of a prompt are read one after another. */
class Layout {
  private heading = '';
  private listLeadIn: string | undefined;
  private isFenced = false;
  private exampleTag = false;
  private blocks: Block[] = [];
  private open: Block | undefined;

  get found(): Block[] {
    return this.blocks;
  }

  read(line: string, start: number): void {
    if (FENCE.test(line)) {
      this.isFenced = !this.isFenced;
      this.open = undefined;
    } else if (line.trim() === '' || UNDERLINE.test(line)) {
      this.open = undefined;
    } else if (HEADING.test(line) && !this.isFenced) {
      this.readHeading(line);
    } else this.readWords(line, start);
  }

  private readHeading(line: string): void {
    this.open = undefined;
    this.listLeadIn = undefined;
    const tag = /^[ \t]*<(\/?)([^>]*)>/.exec(line);
    if (tag !== null) this.exampleTag = tag[1] === '' && EXAMPLE_HEADING.test(tag[2] ?? '');
    else this.heading = line.replace(/[#*_[\]:]/g, ' ').trim();
  }

  private readWords(line: string, start: number): void {
    const marker = LIST_MARKER.exec(line)?.[0] ?? '';
    const end = start + line.trimEnd().length;
    const isExample = this.isFenced || this.exampleTag || EXAMPLE_HEADING.test(this.heading) || SPEAKER_LINE.test(line);
    if (marker === '' && this.open !== undefined && this.open.isExample === isExample) {
      this.open.end = end;
    } else {
      // Text between two lists ends the first one.
      if (marker === '') this.listLeadIn = undefined;
      const leadIn = this.listLeadIn ?? this.heading;
      this.open = {
        start: start + (marker === '' ? line.length - line.trimStart().length : marker.length),
        end,
        leadIn,
        isExample,
      };
      this.blocks.push(this.open);
    }
    if (/:\**$/.test(line.trimEnd())) this.listLeadIn = line.replace(LIST_MARKER, '').trim();
  }
}

function blocksOf(text: string): Block[] {
  const layout = new Layout();
  let start = 0;
  for (const line of text.split('\n')) {
    layout.read(line, start);
    start += line.length + 1;
  }
  return layout.found;
}

const TERMINATOR = /(?<![.!?])[.!?]+["'”’)\]*_]*(?=\s|$)/g;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|no|approx|incl|mr|mrs|ms|dr|st|inc|ltd|co)\.$/i;
/** Longer than any abbreviation with the character before it. */
const ABBREVIATION_WINDOW = 10;
const STARTS_LOWER = /^\s+\p{Ll}/u;

function sentencesIn(text: string, block: Block): string[] {
  const content = text.slice(block.start, block.end);
  const sentences: string[] = [];
  let start = 0;
  let readUpTo = 0;
  let isQuoting = false;
  for (const match of content.matchAll(TERMINATOR)) {
    const end = match.index + match[0].length;
    if (hasOddQuotes(content.slice(readUpTo, end))) isQuoting = !isQuoting;
    readUpTo = end;
    const tail = content.slice(Math.max(start, end - ABBREVIATION_WINDOW), end);
    if (isQuoting || ABBREVIATION.test(tail) || STARTS_LOWER.test(content.slice(end, end + 20))) continue;
    const sentence = content.slice(start, end).trim();
    if (sentence !== '') sentences.push(sentence);
    start = end;
  }
  const rest = content.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
}

function hasOddQuotes(text: string): boolean {
  return (text.match(/"/g) ?? []).length % 2 === 1;
}
