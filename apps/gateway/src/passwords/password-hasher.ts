import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalised } from '@clew/kernel';
import { createFewAtOnce } from './few-at-once.ts';
import { formatPhc, parsePhc, type Argon2Costs, type Argon2Hash } from './phc.ts';

/** Result of a try; `needsRehash` if the password is right and its hash is not of today's costs. */
export interface Verification {
  isRight: boolean;
  needsRehash: boolean;
}

export interface PasswordHasher {
  /** Hashes a password to a PHC string. */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a stored hash. Without a hash, as for an unknown address, it takes the same time and is
   * wrong.
   */
  verify(password: string, hash: string | undefined): Promise<Verification>;
}

export interface PasswordHasherOptions {
  /** Hashes at a time: each takes a core and the memory of its costs. */
  maxAtOnce: number;
  /** Tries that wait for a place; beyond, they are refused. */
  maxWaiting: number;
  costs?: Argon2Costs;
}

/** Costs that OWASP names for argon2id: 19 MiB, two passes. */
export const USUAL_COSTS: Argon2Costs = { memory: 19_456, passes: 2, parallelism: 1 };

const TAG_BYTES = 32;
const SALT_BYTES = 16;

const compute = promisify(argon2);

/** Hashes passwords with argon2id, off the event loop, few at a time. */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { maxAtOnce, maxWaiting, costs = USUAL_COSTS } = options;
  const fewAtOnce = createFewAtOnce({ maxAtOnce, maxWaiting });

  async function tagOf(password: string, costsAndSalt: Omit<Argon2Hash, 'tag'>, tagLength: number): Promise<Buffer> {
    const { salt: nonce, ...rest } = costsAndSalt;
    // The same password typed on another keyboard may come as other code points.
    const message = normalised(password, 'NFC');
    return await fewAtOnce(() => compute('argon2id', { message, nonce, tagLength, ...rest }));
  }

  const dummy: Argon2Hash = { ...costs, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) };

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return formatPhc({ ...costs, salt, tag: await tagOf(password, { ...costs, salt }, TAG_BYTES) });
    },
    async verify(password, hash) {
      const stored = hash === undefined ? undefined : parsePhc(hash);
      const { tag, ...rest } = stored ?? dummy;
      const isEqual = timingSafeEqual(await tagOf(password, rest, tag.length), tag);
      const isRight = isEqual && stored !== undefined;
      return { isRight, needsRehash: isRight && !isOfCosts(rest, costs) };
    },
  };
}

function isOfCosts(left: Argon2Costs, right: Argon2Costs): boolean {
  return left.memory === right.memory && left.passes === right.passes && left.parallelism === right.parallelism;
}
