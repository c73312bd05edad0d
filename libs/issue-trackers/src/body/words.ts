const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Names a day in UTC. No hyphens between numbers: providers take those for keys of issues. */
export function day(ms: number): string {
  return DAY.format(ms);
}

export function moment(ms: number): string {
  return `${MOMENT.format(ms)} UTC`;
}

export function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
