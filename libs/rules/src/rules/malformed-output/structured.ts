import { readJson } from '@clew/kernel';

/** State of a text with regard to JSON. */
export type StructuredText = { readonly kind: 'none' | 'valid' } | { readonly kind: 'broken'; readonly at: number };

const FENCED_JSON = /```(?:json|jsonc?)[ \t]*\r?\n/gi;
const MAX_LENGTH = 500_000;
const MAX_BLOCKS = 20;

/** Tells whether a message is or contains JSON, and whether that can be parsed. Prose with braces is not JSON. */
export function structuredText(content: string): StructuredText {
  if (content.length > MAX_LENGTH) return { kind: 'none' };
  const trimmed = content.trim();
  if (/^(?:\{\s*(?:"|\})|\[\s*(?:\{|\[|"|\d|\]))/.test(trimmed)) {
    if (isJson(trimmed)) return { kind: 'valid' };
    // `[1] First source` and `[link](url)` begin like a list.
    const looksWhole = /[}\]]$/.test(trimmed) || trimmed.startsWith('{');
    return looksWhole && hasPair(trimmed)
      ? { kind: 'broken', at: content.indexOf(trimmed.charAt(0)) }
      : { kind: 'none' };
  }
  let blocks = 0;
  let valid = false;
  for (const match of content.matchAll(FENCED_JSON)) {
    blocks += 1;
    if (blocks > MAX_BLOCKS) break;
    const start = match.index + match[0].length;
    const end = content.indexOf('```', start);
    if (end === -1) break;
    const block = content.slice(start, end).trim();
    // Examples with dots or comments are meant for people.
    if (block === '' || /\.\.\.|…|^[^\S\n\r\u2028\u2029]*\/\/|<[a-z_ -]+>/im.test(block)) continue;
    if (!isJson(block)) return { kind: 'broken', at: start };
    valid = true;
  }
  return { kind: valid ? 'valid' : 'none' };
}

function hasPair(text: string): boolean {
  return /"[^"\n]{1,100}"\s*:/.test(text.slice(0, 5000)) || text.startsWith('[');
}

function isJson(text: string): boolean {
  try {
    readJson(text);
    return true;
  } catch {
    return false;
  }
}
