import { hash } from 'node:crypto';
import { derivedId } from '@clew/kernel';

/**
 * What the content id of a Dataset is made from: LtHash16-1024, a homomorphic hash of a multiset. Each Example is
 * expanded to 1,024 lanes of 16 bits; the state is their sum, lane by lane modulo 2^16. So it does not depend on the
 * order, a change costs the same in a Dataset of any size, and the same Examples give the same state anywhere.
 * (Lewi, Kim, Maykov, Weis: "Securing Update Propagation with Homomorphic Hashing", 2019.)
 */
export type ContentVector = Uint16Array;

const LANES = 1_024;
const BYTES = LANES * 2;
/** Keeps the expansion apart from any other use of the same hash, and names its version. */
const DOMAIN = 'clew/dataset-content/v1\n';

/** The state of a Dataset without Examples. */
export function emptyContent(): ContentVector {
  return new Uint16Array(LANES);
}

/** The lanes of one Example, from its canonical JSON. */
export function expandContent(canonicalText: string): ContentVector {
  return fromBytes(hash('shake128', DOMAIN + canonicalText, { outputEncoding: 'buffer', outputLength: BYTES }));
}

/** Adds an Example to a state, in place. */
export function addContent(state: ContentVector, vector: ContentVector): void {
  // A Uint16Array keeps the lowest 16 bits of what is assigned: the modulus.
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = (state[lane] ?? 0) + (vector[lane] ?? 0);
}

/** Takes an Example out of a state, in place. */
export function subtractContent(state: ContentVector, vector: ContentVector): void {
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = (state[lane] ?? 0) - (vector[lane] ?? 0);
}

/** The id that Datasets with the same Examples share, whatever their ids, times and order. */
export function contentIdOf(state: ContentVector, exampleCount: number): string {
  return derivedId('dsv', toBytes(state).toString('base64'), String(exampleCount));
}

/** Little-endian, on any machine. */
export function toBytes(state: ContentVector): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES);
  for (let lane = 0; lane < LANES; lane += 1) bytes.writeUInt16LE(state[lane] ?? 0, lane * 2);
  return bytes;
}

export function fromBytes(bytes: Uint8Array): ContentVector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, BYTES);
  const state = emptyContent();
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = view.getUint16(lane * 2, true);
  return state;
}
