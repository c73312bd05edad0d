import { hash } from 'node:crypto';
import { endianness } from 'node:os';
import { derivedId } from '@clew/kernel';
import type { ContentDigest } from '../examples/index.ts';

/**
 * State from which the content id of a Dataset is computed: LtHash16-1024, a homomorphic hash of a multiset. The digest
 * of each Example is expanded to 1,024 lanes of 16 bits, and the state is their sum, lane by lane modulo 2^16. So the
 * state does not depend on the order, a change costs the same in a Dataset of any size, and the same Examples give the
 * same state everywhere. (Lewi, Kim, Maykov, Weis: "Securing Update Propagation with Homomorphic Hashing", 2019.)
 */
export type ContentState = Uint16Array;

const LANES = 1_024;
const BYTES = LANES * 2;

/** Buffer for the lanes of one Example, reused for each; its bytes are little-endian on any machine. */
const lanes = new Uint16Array(LANES);
const laneBytes = Buffer.from(lanes.buffer);
const IS_BIG_ENDIAN = endianness() === 'BE';

/** State of a Dataset without Examples. */
export function emptyContent(): ContentState {
  return new Uint16Array(LANES);
}

/** Adds an Example to a state, in place. */
export function addContent(state: ContentState, digest: ContentDigest): void {
  expand(digest);
  // A Uint16Array keeps the lowest 16 bits of an assigned number, which is the modulus.
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = (state[lane] as number) + (lanes[lane] as number);
}

/** Removes an Example from a state, in place. */
export function subtractContent(state: ContentState, digest: ContentDigest): void {
  expand(digest);
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = (state[lane] as number) - (lanes[lane] as number);
}

/** Fills `lanes`. The hash is requested as a string, because many buffers of this size would be collected too late. */
function expand(digest: ContentDigest): void {
  laneBytes.write(hash('shake128', digest, { outputEncoding: 'binary', outputLength: BYTES }), 'latin1');
  if (IS_BIG_ENDIAN) laneBytes.swap16();
}

/** Id that Datasets with the same Examples share, whatever their ids, times and order. */
export function contentIdOf(state: ContentState, exampleCount: number): string {
  return derivedId('dsv', toBytes(state).toString('base64'), String(exampleCount));
}

/** Serializes a state, little-endian on any machine. */
export function toBytes(state: ContentState): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES);
  for (let lane = 0; lane < LANES; lane += 1) bytes.writeUInt16LE(state[lane] ?? 0, lane * 2);
  return bytes;
}

export function fromBytes(bytes: Uint8Array): ContentState {
  const view = new DataView(bytes.buffer, bytes.byteOffset, BYTES);
  const state = emptyContent();
  for (let lane = 0; lane < LANES; lane += 1) state[lane] = view.getUint16(lane * 2, true);
  return state;
}
