/** Costs of argon2id: memory in KiB, passes over it, lanes. */
export interface Argon2Costs {
  memory: number;
  passes: number;
  parallelism: number;
}

export interface Argon2Hash extends Argon2Costs {
  salt: Buffer;
  tag: Buffer;
}

/** Bounds of what is computed for a stored hash, so that a damaged one cannot take the memory of the process. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;
const MAX_PARALLELISM = 4;

const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,6}),t=(?<passes>\d{1,2}),p=(?<parallelism>\d)\$(?<salt>[\w+/-]{11,86})\$(?<tag>[\w+/-]{22,86})$/;

/** Writes a hash as a PHC string, which names its algorithm and its costs. */
export function formatPhc({ memory, passes, parallelism, salt, tag }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Reads a PHC string; undefined if it is none of argon2id, or its costs are out of bounds. */
export function parsePhc(text: string): Argon2Hash | undefined {
  const parts = PHC.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const [memory, passes, parallelism] = [
    Number(parts['memory']),
    Number(parts['passes']),
    Number(parts['parallelism']),
  ];
  const isWithin = (value: number, max: number) => value >= 1 && value <= max;
  if (!isWithin(parallelism, MAX_PARALLELISM) || !isWithin(passes, MAX_PASSES)) return undefined;
  if (memory < 8 * parallelism || memory > MAX_MEMORY_KIB) return undefined;
  const [salt, tag] = [Buffer.from(parts['salt'] ?? '', 'base64'), Buffer.from(parts['tag'] ?? '', 'base64')];
  return { memory, passes, parallelism, salt, tag };
}

/** Base64 without padding, as PHC strings have it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
