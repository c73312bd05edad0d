import { CHANGE_READERS, CHANGE_TYPES, type Change, type ChangeEvent, type ChangeType } from '@clew/contracts';
import type { Caller } from '@clew/http';
import { mayCall } from '@clew/http';

/** Set of types of changes, one bit each: listeners with equal sets are sent the same bytes. */
export type TypeSet = number;

const BITS = new Map(CHANGE_TYPES.map((type, index) => [type, 1 << index]));

export function bitOf(type: ChangeType): TypeSet {
  return BITS.get(type) ?? 0;
}

/** Types of the things that a caller may read in the project. */
export function typesFor({ principal }: Caller): TypeSet {
  return CHANGE_TYPES.reduce(
    (set, type) => (mayCall(CHANGE_READERS[type].access, principal) ? set | bitOf(type) : set),
    0,
  );
}

/** Comment that keeps the proxies in between from closing a silent connection. */
export const HEARTBEAT = Buffer.from(': still here\n\n');

/** Beginning of a stream: how long to wait before the next one if it breaks off, and the first event. */
export function openingOf(retryMs: number, at: number): string {
  return `retry: ${retryMs}\n\n${readyEvent(at)}`;
}

export function readyEvent(at: number): string {
  return eventOf('ready', { type: 'ready', id: null, at });
}

function eventOf(name: 'ready' | 'change', event: ChangeEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Writes changes as events: each once, and all those for a set of types once, however many listeners have that set. */
export function createEventWriter(changes: readonly Change[]): (types: TypeSet) => Buffer {
  const events = changes.map((change) => ({ bit: bitOf(change.type), text: eventOf('change', change) }));
  const written = new Map<TypeSet, Buffer>();
  return (types) => {
    const known = written.get(types);
    if (known !== undefined) return known;
    const wanted = events.filter(({ bit }) => (types & bit) !== 0);
    const bytes = Buffer.from(wanted.map(({ text }) => text).join(''));
    written.set(types, bytes);
    return bytes;
  };
}
