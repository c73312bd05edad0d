import type { Api } from '@clew/sdk';

type Masking = Api.TelemetrySettings['masking'];

export const DETECTORS: readonly { readonly id: keyof Masking['builtIn']; readonly label: string }[] = [
  { id: 'secrets', label: 'Keys, tokens and passwords' },
  { id: 'emails', label: 'E-mail addresses' },
  { id: 'phones', label: 'Phone numbers' },
  { id: 'cards', label: 'Payment cards' },
  { id: 'bankAccounts', label: 'Bank accounts' },
  { id: 'nationalIds', label: 'National ids' },
  { id: 'addresses', label: 'Postal addresses' },
];

export interface PatternDraft {
  readonly name: string;
  readonly pattern: string;
  readonly replacement: string;
}

export function patternDrafts(patterns: Masking['patterns']): PatternDraft[] {
  return patterns.map(({ name, pattern, replacement = '' }) => ({ name, pattern, replacement }));
}

/** Patterns of what was typed, without lines that are empty. */
export function patternsOf(drafts: readonly PatternDraft[]): Masking['patterns'] {
  return drafts
    .filter(({ name, pattern }) => name.trim() !== '' || pattern !== '')
    .map(({ name, pattern, replacement }) => ({
      ...{ name: name.trim(), pattern },
      ...(replacement === '' ? {} : { replacement }),
    }));
}

/** Values of a text with one a line, each once. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Removed things in words: `12 spans, 3 snapshots`. */
export function removedText(removed: Readonly<Record<string, number>>, format: (value: number) => string): string {
  const parts = Object.entries(removed).filter(([, number]) => number > 0);
  if (parts.length === 0) return 'Nothing';
  return parts.map(([kind, number]) => `${format(number)} ${wordsOf(kind)}`).join(', ');
}

function wordsOf(kind: string): string {
  return kind
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
