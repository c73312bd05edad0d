/**
 * Search parameters as people read and share them: `?severity=critical,high&q=refund`, each a text. The pages check
 * what they mean.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The same back; what has no value is left out, and commas stay commas. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}
