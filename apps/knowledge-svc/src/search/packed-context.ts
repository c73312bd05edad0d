import { RECALLED_KNOWLEDGE, type PackedKnowledge } from '@clew/contracts';
import { estimateTokens } from '@clew/knowledge';
import type { StoredItem } from '../items/index.ts';

/** Quotes of an item that are shown, and characters of each. */
const MAX_QUOTES = 2;
const MAX_QUOTE_LENGTH = 300;

/**
 * Packs items with their quotes into a text for a prompt, the best first, within a number of tokens. An item that does
 * not fit is left out, and a smaller one after it may still fit.
 */
export function packedContext(items: readonly StoredItem[], maxTokens: number): PackedKnowledge {
  const packed: StoredItem[] = [];
  const lines = [`${RECALLED_KNOWLEDGE}:`];
  let tokens = estimateTokens(`${lines[0]}\n`);
  for (const item of items) {
    const text = textOf(item);
    const more = estimateTokens(`${text}\n`);
    if (tokens + more > maxTokens) continue;
    lines.push(text);
    tokens += more;
    packed.push(item);
  }
  if (packed.length === 0) return { text: '', tokens: 0, items: [] };
  const used = packed.map(({ id: itemId, revision, goalId, title }) => ({ itemId, revision, goalId, title }));
  return { text: lines.join('\n'), tokens, items: used };
}

function textOf({ id, content, saidAt, validFrom, validUntil, evidence }: StoredItem): string {
  const times = [
    `said ${dayOf(saidAt)}`,
    ...(validFrom === null ? [] : [`from ${dayOf(validFrom)}`]),
    ...(validUntil === null ? [] : [`until ${dayOf(validUntil)}`]),
  ];
  const quotes = evidence
    .slice(0, MAX_QUOTES)
    .map(({ quote }) => `  "${oneLine(quote).slice(0, MAX_QUOTE_LENGTH).toWellFormed()}"`);
  return [`- ${oneLine(content)} (${times.join(', ')}; ${id})`, ...quotes].join('\n');
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
