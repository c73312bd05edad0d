const CUT = '\n[...]\n';

/** Shortens a text in its middle: beginning and end say the most. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(1, Math.floor((limit - CUT.length) / 2));
  return `${text.slice(0, half)}${CUT}${text.slice(-half)}`.toWellFormed();
}
