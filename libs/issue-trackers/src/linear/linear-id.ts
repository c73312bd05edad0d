import { createHash } from 'node:crypto';

/**
 * Derives the id of an issue or comment from its marker: Linear takes an id from its creator, and refuses the same one
 * twice. The form is that of a random UUID (version 4), which Linear asks for.
 */
export function linearIdOf(marker: string): string {
  const bytes = createHash('sha256').update(`clew ${marker}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
