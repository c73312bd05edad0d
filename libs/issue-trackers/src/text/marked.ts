import { toMarkdown } from './markdown.ts';
import type { RichText } from './rich-text.ts';

/** Adds the reference that people see. Where a provider keeps no hidden text, it is also how the text is found. */
export function withReference(text: RichText, marker: string): RichText {
  return [...text, { kind: 'paragraph', spans: ['Clew reference: ', { text: marker, style: 'code' }] }];
}

/** Renders Markdown with the marker in a comment that is not shown. */
export function toMarkedMarkdown(text: RichText, marker: string): string {
  return `${toMarkdown(text)}\n\n${hiddenMarker(marker)}`;
}

/**
 * Tells whether a Markdown text has the marker on a line of its own. Words of others never make up such a line: in
 * prose the comment's first character is escaped, and quotes begin with their sign.
 */
export function hasMarker(markdown: string, marker: string): boolean {
  return markdown.split('\n').some((line) => line.trim() === hiddenMarker(marker));
}

function hiddenMarker(marker: string): string {
  return `<!-- clew:${marker} -->`;
}
