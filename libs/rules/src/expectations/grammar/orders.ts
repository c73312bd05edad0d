/** Required first step, and the action that it must precede. */
export interface Order {
  readonly first: string;
  readonly action: string;
}

const OBLIGED =
  /^(?:you )?(?:must|should|need to|have to|always|first|then|please|shall|start by|begin by)(?: always| first)? /;

/**
 * Lists the possible readings of a clause with `before`, the longest action first: `before cancelling, changing or
 * booking, ask ...` does not tell which comma ends the action.
 */
export function ordersOf(text: string): Order[] {
  if (text.startsWith('never ')) return [];
  const orders: Order[] = [];
  if (text.startsWith('before ')) {
    for (const comma of [...text.matchAll(/, /g)].reverse()) {
      orders.push({ action: text.slice('before '.length, comma.index), first: text.slice(comma.index + 2) });
    }
  }
  const trailing = /^(?<first>.+?),? (?:before|prior to) (?<action>.+)$/s.exec(text)?.groups;
  if (trailing !== undefined) orders.push({ first: trailing.first ?? '', action: trailing.action ?? '' });
  return orders.flatMap(({ first, action }) => {
    // A further gerund belongs to the action.
    return /^[a-z]+ing\b/.test(first) && text.startsWith('before ')
      ? []
      : [{ first: first.replace(OBLIGED, '').replace(/,$/, ''), action: action.replace(/,$/, '') }];
  });
}
