/** Bounds of a value. */
export interface Limits {
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

interface Sent {
  released: Limits & { enum?: readonly unknown[]; const?: unknown };
  current: Limits;
  place: string;
}

/** Keywords of bounds; whether a higher value takes less; and the bound that goes without saying. */
const BOUNDS = [
  { name: 'minLength', isLower: true, unsaid: 0 },
  { name: 'minItems', isLower: true, unsaid: 0 },
  { name: 'minimum', isLower: true, unsaid: -Infinity },
  { name: 'maxLength', isLower: false, unsaid: Infinity },
  { name: 'maxItems', isLower: false, unsaid: Infinity },
  { name: 'maximum', isLower: false, unsaid: Infinity },
] as const;

/**
 * Checks the bounds of what callers send: none may be narrower than it was. Another pattern counts as narrower, because
 * nobody can tell. Where the released values are listed, only these have to be within the bounds.
 */
export function breaksOfLimits({ released, current, place }: Sent): string[] {
  const listed = released.enum ?? ('const' in released ? [released.const] : undefined);
  if (listed !== undefined) {
    const gone = listed.filter((value) => typeof value === 'string' && !isWithin(value, current));
    return gone.map((value) => `${place}: ${JSON.stringify(value)} is out of bounds now`);
  }
  const bounds = BOUNDS.flatMap(({ name, isLower, unsaid }) => {
    const [before, after] = [released[name] ?? unsaid, current[name] ?? unsaid];
    return (isLower ? after > before : after < before) ? [`${place}: ${name} is ${after} now`] : [];
  });
  const isOther = current.pattern !== undefined && current.pattern !== released.pattern;
  return [...bounds, ...(isOther ? [`${place}: has another pattern now`] : [])];
}

function isWithin(text: string, { minLength = 0, maxLength = Infinity, pattern = '' }: Limits): boolean {
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern, 'u').test(text);
}
