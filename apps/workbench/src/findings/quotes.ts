import type { Api } from '@clew/sdk';

/** Words of a conversation that show a Finding, with the step in which they stand. */
export interface ShownQuote {
  readonly quote: string;
  readonly stepIndex: number;
}

const SHOWN = 4;

/** Quotes of a Finding, each once: those where it shows first, then those of further evidence. */
export function quotesOf(finding: Pick<Api.Finding, 'diagnosticAnchor' | 'evidence'>): {
  readonly quotes: readonly ShownQuote[];
  readonly more: number;
} {
  const { diagnosticAnchor, evidence } = finding;
  const all = [diagnosticAnchor, ...evidence.map(({ location }) => location)].flatMap(({ stepIndex, quotes }) =>
    quotes.map(({ quote, messageIndex }) => ({ quote, stepIndex: messageIndex ?? stepIndex })),
  );
  const seen = new Set<string>();
  const own = all.filter(({ quote, stepIndex }) => {
    const name = `${stepIndex} ${quote}`;
    return quote !== '' && !seen.has(name) && seen.add(name);
  });
  return { quotes: own.slice(0, SHOWN), more: Math.max(0, own.length - SHOWN) };
}
