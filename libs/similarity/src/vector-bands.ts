import { sha256Hex } from '@clew/kernel';
import { mix32 } from './mix32.ts';

/** Cosine from which on two texts count as having the same meaning. */
export const SAME_MEANING = 0.92;

/** At that cosine, two vectors share at least one of 40 bands of 16 bits in 99 of 100 cases (Charikar, 2002). */
const BANDS = 40;
const BITS = 16;
const PLANES = BANDS * BITS;
const SEED = 0x4b4e4f57;

/** Decodes an embedding; `undefined` if the text is not a valid one. */
export function vectorOf(base64: string): Float32Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const vector = Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0) ? vector : undefined;
}

/**
 * Sketch of 80 bytes: on which side of each random hyperplane a vector lies. A plane depends only on its number, so it
 * never changes.
 */
export function sketchOf(vector: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: PLANES / 8 }, (_, byte) => {
    let bits = 0;
    for (let bit = 0; bit < 8; bit += 1) bits = (bits << 1) | Number(isAbove(vector, 8 * byte + bit));
    return bits;
  });
}

/**
 * Index keys by which vectors of one model with a similar direction are found; each band has sixteen bits of the
 * sketch.
 */
export function vectorBandsOf(model: string, sketch: Uint8Array): string[] {
  const name = sha256Hex(model).slice(0, 8);
  return Array.from({ length: BANDS }, (_, band) => {
    const bits = ((sketch[2 * band] as number) << 8) | (sketch[2 * band + 1] as number);
    return `${name}:${band}:${bits.toString(16)}`;
  });
}

const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Estimates the cosine of two vectors from their sketches: within 0.16 in 99 of 100 cases. */
export function estimatedCosine(left: Uint8Array, right: Uint8Array): number {
  let differing = 0;
  for (let index = 0; index < left.length; index += 1) {
    differing += BITS_OF_BYTE[(left[index] as number) ^ (right[index] as number)] as number;
  }
  return Math.cos((Math.PI * differing) / PLANES);
}

/** Cosine of two vectors; 0 if their lengths differ. */
export function cosineOf(left: Float32Array, right: Float32Array): number {
  if (left.length !== right.length) return 0;
  let [product, leftSquare, rightSquare] = [0, 0, 0];
  for (const [index, value] of left.entries()) {
    const other = right[index] as number;
    product += value * other;
    leftSquare += value * value;
    rightSquare += other * other;
  }
  return product / (Math.sqrt(leftSquare * rightSquare) || 1);
}

/** Whether a vector lies above a hyperplane. One random number gives the signs of 32 of the plane's coordinates. */
function isAbove(vector: Float32Array, plane: number): boolean {
  let sum = 0;
  let signs = 0;
  for (let index = 0; index < vector.length; index += 1) {
    if (index % 32 === 0) signs = mix32(mix32(SEED + plane) + index);
    sum += signs & 1 ? (vector[index] as number) : -(vector[index] as number);
    signs >>>= 1;
  }
  return sum > 0;
}
