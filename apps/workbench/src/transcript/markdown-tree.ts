import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { safeExternalUrl } from '../text/external-url.ts';

/** Part of a Markdown text that may be shown. There is no other kind: what a text holds beyond these is shown as words. */
export type MarkdownNode =
  | { readonly kind: 'text' | 'code-span' | 'markup'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly MarkdownNode[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly children: readonly MarkdownNode[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly MarkdownNode[] }
  | MarkdownLink
  | MarkdownList
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly MarkdownNode[])[])[] };

/** Link to elsewhere, or an image, which is never loaded and stands as a link to it. */
export interface MarkdownLink {
  readonly kind: 'link';
  /** Address to which it may lead; undefined where it is not one of http or https. */
  readonly href: string | undefined;
  /** Host of the address, else the address as it was written. */
  readonly host: string;
  readonly isImage: boolean;
  readonly children: readonly MarkdownNode[];
}

interface MarkdownList {
  readonly kind: 'list';
  readonly isOrdered: boolean;
  readonly start: number;
  readonly items: readonly { readonly check: '☑' | '☐' | undefined; readonly children: readonly MarkdownNode[] }[];
}

/** Depth beyond which nested parts are shown as words. */
const MAX_DEPTH = 16;
/** Length beyond which a text is shown as it was written: it might take long to read. */
export const MAX_MARKDOWN = 40_000;

/** Reads a Markdown text; undefined where it is too long or too deep, and is to be shown as it was written. */
export function markdownTree(text: string): readonly MarkdownNode[] | undefined {
  if (text.length > MAX_MARKDOWN) return undefined;
  try {
    return nodesOf(new Lexer({ gfm: true, breaks: true }).lex(text), 0);
  } catch {
    return undefined;
  }
}

function nodesOf(tokens: readonly Token[] | undefined, depth: number): MarkdownNode[] {
  return (tokens ?? []).flatMap((token) =>
    depth > MAX_DEPTH ? [{ kind: 'text' as const, text: token.raw }] : nodeOf(token as MarkedToken, depth + 1),
  );
}

/** Part of a token. Kinds that are not named here are shown as they were written. */
function nodeOf(token: MarkedToken, depth: number): MarkdownNode[] {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'text':
      return token.tokens === undefined ? [words(token.text)] : nodesOf(token.tokens, depth);
    case 'escape':
      return [{ kind: 'text', text: token.text }];
    case 'codespan':
      return [{ kind: 'code-span', text: token.text }];
    case 'code':
      return [{ kind: 'code', text: token.text, language: token.lang ?? '' }];
    case 'br':
      return [{ kind: 'break' }];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: token.type, children: nodesOf(token.tokens, depth) }];
    case 'paragraph':
      return [{ kind: token.type, children: nodesOf(token.tokens, depth) }];
    case 'blockquote':
      return [{ kind: 'quote', children: nodesOf(token.tokens, depth) }];
    case 'heading':
      return [{ kind: 'heading', level: token.depth, children: nodesOf(token.tokens, depth) }];
    case 'link':
      return [linkOf(token.href, nodesOf(token.tokens, depth), false)];
    case 'image':
      return [linkOf(token.href, [{ kind: 'text', text: token.text }], true)];
    case 'list':
      return [listOf(token, depth)];
    case 'table':
      return [tableOf(token, depth)];
    default:
      return [{ kind: 'markup', text: token.raw }];
  }
}

function linkOf(address: string, children: readonly MarkdownNode[], isImage: boolean): MarkdownLink {
  const href = safeExternalUrl(address);
  return { kind: 'link', href, host: href === undefined ? address : new URL(href).host, isImage, children };
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): MarkdownList {
  return {
    kind: 'list',
    isOrdered: ordered,
    start: start === '' ? 1 : start,
    items: items.map(({ task, checked, tokens }) => ({
      check: task ? (checked === true ? '☑' : '☐') : undefined,
      children: nodesOf(tokens, depth),
    })),
  };
}

function tableOf({ header, rows }: Tokens.Table, depth: number): MarkdownNode {
  return { kind: 'table', rows: [header, ...rows].map((row) => row.map(({ tokens }) => nodesOf(tokens, depth))) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Words with the few entities that models write; they stay words whatever they spell. */
function words(text: string): MarkdownNode {
  return { kind: 'text', text: text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity) };
}
