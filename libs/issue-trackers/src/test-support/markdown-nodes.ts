import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Node of a Markdown text, as far as tests look at it. */
export interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

/** Parses a text like GitHub: CommonMark with the extensions of GitHub. */
export function parseMarkdown(markdown: string): MarkdownNode {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as MarkdownNode;
}

export function nodesOf(node: MarkdownNode, type: string): MarkdownNode[] {
  const own = node.type === type ? [node] : [];
  return [...own, ...(node.children ?? []).flatMap((child) => nodesOf(child, type))];
}

export function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
