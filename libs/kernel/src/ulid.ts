import { randomFillSync } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/**
 * Characters for every ten bits, in pairs: a third of the look-ups of single characters, on the path of every request.
 */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => CROCKFORD.charAt(bits >> 5) + CROCKFORD.charAt(bits & 31));

const TIME_LENGTH = 10;
const FIXED_RANDOM_LENGTH = 12;
const MAX_COUNTER = 2 ** 20 - 1;
const BYTES_PER_DRAW = FIXED_RANDOM_LENGTH + 4;

export interface UlidFactoryOptions {
  /** Unix epoch milliseconds. */
  now?: () => number;
  /** Fills an array with random bytes. */
  fillRandom?: (bytes: Uint8Array) => void;
}

/**
 * Creates a factory of ULIDs that grow with every call, even within a millisecond and when the clock goes back. Within
 * a millisecond the last 20 bits count up from a random start with a zero highest bit, so that they do not run out. The
 * rest is random for each millisecond, from a pool, because asking the system for random bytes costs more than
 * everything else.
 */
export function createUlidFactory({ now = Date.now, fillRandom = randomFillSync }: UlidFactoryOptions = {}) {
  const pool = new Uint8Array(BYTES_PER_DRAW * 64);
  const poolView = new DataView(pool.buffer);
  let offset = pool.length;
  let lastMs = -1;
  let head = '';
  let counter = 0;

  function draw(timeMs: number): void {
    if (offset === pool.length) {
      fillRandom(pool);
      offset = 0;
    }
    lastMs = timeMs;
    head = timeText(timeMs);
    for (let index = 0; index < FIXED_RANDOM_LENGTH; index += 1)
      head += CROCKFORD.charAt((pool[offset + index] ?? 0) & 31);
    counter = poolView.getUint32(offset + FIXED_RANDOM_LENGTH) >>> 13;
    offset += BYTES_PER_DRAW;
  }

  return (): string => {
    const nowMs = now();
    if (nowMs > lastMs) draw(nowMs);
    else if (counter === MAX_COUNTER) draw(lastMs + 1);
    else counter += 1;
    return `${head}${PAIRS[counter >>> 10]}${PAIRS[counter & 1023]}`;
  };
}

function timeText(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let index = 0; index < TIME_LENGTH; index += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
