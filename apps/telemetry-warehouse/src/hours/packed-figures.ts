import { BUCKETS } from '../conversations/index.ts';
import { FigureSums, NUMBERS } from './figure-sums.ts';

/**
 * Figures of a day as bytes, hour by hour: the number of the hour and that of its buckets (a byte each), its numbers
 * (doubles, since tokens need not be whole), and for each bucket its own number (a byte) and count (a varint).
 */
const HEAD_BYTES = 2 + NUMBERS.length * Float64Array.BYTES_PER_ELEMENT;
/** Longest varint of a whole number that a double holds exactly. */
const MAX_VARINT_BYTES = 8;
const MAX_HOUR_BYTES = HEAD_BYTES + BUCKETS * (1 + MAX_VARINT_BYTES);

/** Packs the figures of some hours of a day. */
export function packFigures(hours: readonly (readonly [hour: number, sums: FigureSums])[]): Uint8Array {
  const bytes = new Uint8Array(hours.length * MAX_HOUR_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [hour, sums] of hours) {
    const head = at;
    bytes[at] = hour;
    at += 2;
    for (const name of NUMBERS) {
      view.setFloat64(at, sums[name], true);
      at += Float64Array.BYTES_PER_ELEMENT;
    }
    for (const [bucket, count] of sums.latency.entries()) {
      if (count <= 0) continue;
      bytes[head + 1] = (bytes[head + 1] ?? 0) + 1;
      bytes[at] = bucket;
      at = writeVarint(bytes, at + 1, count);
    }
  }
  return bytes.slice(0, at);
}

/** Adds packed figures to the sums of their hours; hours without sums are passed over. */
export function addPacked(bytes: Uint8Array, sumsOf: (hour: number) => FigureSums | undefined): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Sums of nobody, so that what is passed over is read like the rest.
  const passedOver = new FigureSums();
  let at = 0;
  while (at < bytes.length) {
    const sums = sumsOf(view.getUint8(at)) ?? passedOver;
    const buckets = view.getUint8(at + 1);
    at += 2;
    for (const name of NUMBERS) {
      sums[name] += view.getFloat64(at, true);
      at += Float64Array.BYTES_PER_ELEMENT;
    }
    const { latency } = sums;
    for (let read = 0; read < buckets; read += 1) {
      const bucket = view.getUint8(at);
      at += 1;
      let byte = view.getUint8(at);
      let count = byte % 128;
      at += 1;
      for (let scale = 128; byte >= 128; scale *= 128) {
        byte = view.getUint8(at);
        count += (byte % 128) * scale;
        at += 1;
      }
      latency[bucket] = (latency[bucket] ?? 0) + count;
    }
  }
}

/** Writes a whole number, seven bits a byte; bit operations would cut it off at 32 bits. */
function writeVarint(bytes: Uint8Array, start: number, count: number): number {
  let [at, left] = [start, count];
  while (left >= 128) {
    bytes[at] = (left % 128) + 128;
    left = Math.floor(left / 128);
    at += 1;
  }
  bytes[at] = left;
  return at + 1;
}
