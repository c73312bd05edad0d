import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { framedCall, textsOf } from './message-texts.ts';

/** Conversation as a reader sees it. */
export interface Transcript {
  text: string;
  shown: readonly ConversationMessage[];
}

/** Messages at both ends that are shown whole: how it began, and how it ended. */
const FIRST = 3;
const LAST = 8;
/** Distance to a hint up to which messages are shown whole. */
const AROUND_HINT = 1;
/** Longest text of a message that counts as whole; a longer one says little more. */
const MAX_WHOLE = 8_000;
/** Shortest text of a shortened message. */
const MIN_SHORTENED = 160;
const CUT = '\n[...]\n';

/**
 * Renders a conversation within a number of characters. If not everything fits, its start, its end and the surroundings
 * of `steps` stay whole, and the other messages are shortened in their middle, all to the same length; if that is not
 * enough, the messages farthest from the whole ones are left out, those at `steps` last, and the gap is named.
 */
export function transcriptOf(
  { messages }: Pick<ConversationSnapshot, 'messages'>,
  steps: readonly number[],
  maxCharacters: number,
): Transcript {
  const whole = wholeMessages(messages, steps);
  const parts = messages.map((message) => ({ head: headOf(message), body: bodyOf(message) }));
  const lengths = parts.map(({ head, body }) => Math.min(head.length + body.length, MAX_WHOLE));
  const limit = commonLimit(
    lengths.filter((_, at) => !whole.has(at)),
    maxCharacters - sum(lengths.filter((_, at) => whole.has(at))),
  );
  const limits = lengths.map((length, at) => (whole.has(at) ? length : Math.min(length, limit)));
  const atSteps = new Set([...messages.keys()].filter((at) => steps.includes(messages[at]?.index ?? -1)));
  const kept = keptWithin(limits, { whole, steps: atSteps }, maxCharacters);
  const lines: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (kept.has(at)) lines.push(rendered(part, limits[at] ?? MIN_SHORTENED));
    else if (at > 0 && kept.has(at - 1)) lines.push(`[... the messages up to the next one shown are left out ...]`);
  }
  return { text: lines.join('\n'), shown: messages.filter((_, at) => kept.has(at)) };
}

function wholeMessages(messages: readonly ConversationMessage[], steps: readonly number[]): Set<number> {
  const whole = new Set<number>();
  const near = new Set(
    steps.flatMap((step) => Array.from({ length: 2 * AROUND_HINT + 1 }, (_, index) => step - AROUND_HINT + index)),
  );
  for (const [at, { index, role }] of messages.entries()) {
    if (at < FIRST || at >= messages.length - LAST || near.has(index) || role === 'system') whole.add(at);
  }
  return whole;
}

/** Largest length to which all texts can be cut so that they fit the room, and at least the shortest one. */
function commonLimit(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((one, other) => one - other);
  for (const [position, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - position));
    if (length > share) return Math.max(MIN_SHORTENED, share);
    left -= length;
  }
  return MAX_WHOLE;
}

/** Places of the messages that fit: those of the steps first, then the other whole ones, then those nearest to them. */
function keptWithin(
  limits: readonly number[],
  { whole, steps }: { whole: ReadonlySet<number>; steps: ReadonlySet<number> },
  maxCharacters: number,
): Set<number> {
  if (sum(limits) <= maxCharacters) return new Set(limits.keys());
  const distances = distancesTo(whole, limits.length);
  const rankOf = (at: number) => (steps.has(at) ? -1 : (distances[at] ?? 0));
  const order = [...limits.keys()].toSorted((one, other) => rankOf(one) - rankOf(other));
  const kept = new Set<number>();
  let left = maxCharacters;
  for (const at of order) {
    const length = limits[at] ?? 0;
    if (length > left && kept.size > 0) continue;
    left -= length;
    kept.add(at);
  }
  return kept;
}

/** Distance of each place to the nearest chosen one, in two passes. */
function distancesTo(chosen: ReadonlySet<number>, count: number): number[] {
  const distances = Array.from({ length: count }, () => Infinity);
  const pass = (places: Iterable<number>) => {
    let distance = Infinity;
    for (const at of places) {
      distance = chosen.has(at) ? 0 : distance + 1;
      distances[at] = Math.min(distances[at] ?? Infinity, distance);
    }
  };
  pass(distances.keys());
  pass([...distances.keys()].reverse());
  return distances;
}

function rendered({ head, body }: { head: string; body: string }, limit: number): string {
  return head + shortened(body, Math.max(MIN_SHORTENED, limit - head.length));
}

function headOf({ index, role, name, atMs }: ConversationMessage): string {
  return `[${index}] ${role}${name === undefined ? '' : ` (${name})`} at ${timeOf(atMs)}: `;
}

function bodyOf(message: ConversationMessage): string {
  const [content = '', ...calls] = textsOf(message);
  const error = message.error === undefined ? [] : [`(it failed: ${message.error.message})`];
  return [content, ...calls.map(framedCall), ...error].filter((line) => line !== '').join('\n');
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}

/** Shortens a text in its middle: beginning and end say the most. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(1, Math.floor((limit - CUT.length) / 2));
  return `${text.slice(0, half)}${CUT}${text.slice(-half)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
