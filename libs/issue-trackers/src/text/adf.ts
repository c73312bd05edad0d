import { cleanedLine } from './clean.ts';
import { MAX_SPAN_LENGTH } from './limits.ts';
import { addressOf, quotedLines } from './markdown.ts';
import type { Block, RichText, Span } from './rich-text.ts';

/** Node of the Atlassian Document Format. */
export interface AdfNode {
  type: string;
  text?: string;
  attrs?: Readonly<Record<string, unknown>>;
  marks?: readonly { type: string; attrs?: Readonly<Record<string, unknown>> }[];
  content?: readonly AdfNode[];
}

export interface AdfDocument {
  type: 'doc';
  version: 1;
  content: readonly AdfNode[];
}

/** Renders a document for Jira. Text in it is text: mentions and links are nodes and marks of their own. */
export function toAdf(text: RichText): AdfDocument {
  return { type: 'doc', version: 1, content: text.flatMap(nodesOf) };
}

/** Returns the texts of a document, in order. */
export function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { text, content } = node as { text?: unknown; content?: unknown };
  const own = typeof text === 'string' ? [text] : [];
  return Array.isArray(content) ? [...own, ...content.flatMap(textsOf)] : own;
}

function nodesOf(block: Block): AdfNode[] {
  switch (block.kind) {
    case 'heading': {
      const content = inlineOf([block.text]);
      return content.length === 0 ? [] : [{ type: 'heading', attrs: { level: 3 }, content }];
    }
    case 'paragraph':
      return paragraphOf(block.spans);
    case 'list': {
      const items = block.items.map(paragraphOf).filter((content) => content.length > 0);
      const content = items.map((item) => ({ type: 'listItem', content: item }));
      return content.length === 0 ? [] : [{ type: block.ordered ? 'orderedList' : 'bulletList', content }];
    }
    case 'quote': {
      const text = quotedLines(block.text).join('\n');
      return text === '' ? [] : [{ type: 'codeBlock', attrs: { language: 'text' }, content: [{ type: 'text', text }] }];
    }
  }
}

function paragraphOf(spans: readonly Span[]): AdfNode[] {
  const content = inlineOf(spans);
  return content.length === 0 ? [] : [{ type: 'paragraph', content }];
}

function inlineOf(spans: readonly Span[]): AdfNode[] {
  return spans.flatMap((span) => {
    const given = typeof span === 'string' ? span : span.text;
    const line = cleanedLine(given, MAX_SPAN_LENGTH);
    // The space at the end of a plain span separates it from the next one.
    const text = (/^\s/.test(given) ? ' ' : '') + line + (/\s$/.test(given) && line !== '' ? ' ' : '');
    if (text === '') return [];
    if (typeof span === 'string') return [{ type: 'text', text }];
    if ('href' in span)
      return [{ type: 'text', text, marks: [{ type: 'link', attrs: { href: addressOf(span.href) } }] }];
    return [{ type: 'text', text, marks: [{ type: span.style }] }];
  });
}
