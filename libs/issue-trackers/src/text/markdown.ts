import { cleaned, cleanedLine } from './clean.ts';
import { MAX_QUOTE_LENGTH, MAX_QUOTE_LINES, MAX_SPAN_LENGTH } from './limits.ts';
import { withoutReferences } from './neutral.ts';
import type { Block, RichText, Span } from './rich-text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that mean something to Markdown, or to the extensions of GitHub, GitLab and Linear. */
const SPECIAL = /[\\`*_[\]~|$!#^{}]/g;

/**
 * Renders Markdown that reads the same at GitHub, GitLab and Linear. Text of others stays text: it cannot become
 * markup, a mention, a reference or a link, or a quick action of GitLab.
 */
export function toMarkdown(text: RichText): string {
  return text.flatMap(blockOf).join('\n\n');
}

function blockOf(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`### ${lineOf([block.text])}`];
    case 'paragraph':
      return [lineOf(block.spans)];
    case 'list':
      return [
        block.items.map((spans, index) => `${block.ordered ? `${index + 1}.` : '-'} ${lineOf(spans)}`).join('\n'),
      ];
    case 'quote':
      return quoteOf(block.text);
  }
}

function lineOf(spans: readonly Span[]): string {
  let line = '';
  let wasMarked = false;
  for (const span of joined(spans)) {
    const text = spanOf(span);
    const isMarked = typeof span !== 'string';
    // The signs of two neighbours would otherwise be read as one.
    line += wasMarked && isMarked && text !== '' ? ` ${text}` : text;
    if (text !== '') wasMarked = isMarked;
  }
  return atLineStart(line.trim());
}

/** Joins neighbouring plain strings, so that no reference is put together from two of them. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (typeof span === 'string' && typeof last === 'string') all.splice(-1, 1, last + span);
    else all.push(span);
  }
  return all;
}

function spanOf(span: Span): string {
  if (typeof span === 'string') return proseOf(span);
  if ('style' in span && span.style === 'code') return codeOf(span.text);
  const text = proseOf(span.text).trim();
  if (text === '') return '';
  return 'href' in span ? `[${text}](<${addressOf(span.href)}>)` : `**${text}**`;
}

function proseOf(text: string): string {
  const line = cleanedLine(text, MAX_SPAN_LENGTH);
  const [start, end] = [/^\s/.test(text) ? ' ' : '', /\s$/.test(text) && line !== '' ? ' ' : ''];
  const escaped = withoutReferences(line)
    .replace(SPECIAL, '\\$&')
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
  return start + escaped + end;
}

/** Escapes a beginning that would make a heading, a list or a quick action of the line. */
function atLineStart(line: string): string {
  return line.replace(/^(\d{0,9})([-+./):=])/, '$1\\$2');
}

function codeOf(text: string): string {
  const line = cleanedLine(text, MAX_SPAN_LENGTH);
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/**
 * Renders a quote as a code block within a block quote. Nothing is interpreted in code; and since every line has the
 * sign of the quote before it, none begins with a quick action, whatever a reader takes for the end of the code.
 */
function quoteOf(text: string): string[] {
  const lines = quotedLines(text);
  if (lines.length === 0) return [];
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n'), '`') + 1));
  return [[`${fence}text`, ...lines, fence].map((line) => `> ${line}`).join('\n')];
}

/** Returns the lines of a quote that are shown. */
export function quotedLines(text: string): string[] {
  const lines = cleaned(text, MAX_QUOTE_LENGTH)
    .split('\n')
    .map((line) => line.trimEnd());
  const shown = lines.slice(0, MAX_QUOTE_LINES);
  if (lines.length > MAX_QUOTE_LINES) shown.push('…');
  return shown.some((line) => line.trim() !== '') ? shown : [];
}

function longestRun(text: string, character: string): number {
  let [longest, run] = [0, 0];
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Returns an address of our own that is safe between `<` and `>`. */
export function addressOf(href: string): string {
  const url = new URL(href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('A link leads to http or https only');
  return url.href.replace(/[<>\\()]/g, (character) => encodeURIComponent(character));
}
