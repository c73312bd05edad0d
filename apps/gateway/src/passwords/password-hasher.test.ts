import { describe, expect, it } from '@jest/globals';
import { AppError } from '@clew/kernel';
import { createPasswordHasher } from './password-hasher.ts';
import { parsePhc } from './phc.ts';

/** Least costs, so that the tests are quick. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };
const hasher = createPasswordHasher({ maxAtOnce: 2, maxWaiting: 2, costs: CHEAP });
const PASSWORD = 'a password that is long';

describe('a password', () => {
  it('is right with the hash that it got, and with no other', async () => {
    const hash = await hasher.hash(PASSWORD);
    expect(await hasher.verify(PASSWORD, hash)).toEqual({ isRight: true, needsRehash: false });
    expect(await hasher.verify(`${PASSWORD} `, hash)).toEqual({ isRight: false, needsRehash: false });
    expect(await hasher.hash(PASSWORD)).not.toBe(hash);
    expect(parsePhc(hash)).toMatchObject(CHEAP);
  });

  it('is the same however its letters are composed', async () => {
    const hash = await hasher.hash('pass\u00e9 compos\u00e9 et long');
    expect((await hasher.verify('passe\u0301 compose\u0301 et long', hash)).isRight).toBe(true);
  });

  it('is wrong without a hash, and with one that is damaged', async () => {
    for (const hash of [undefined, '', '$argon2id$v=19$m=8,t=1,p=1$']) {
      expect(await hasher.verify(PASSWORD, hash)).toEqual({ isRight: false, needsRehash: false });
    }
  });

  it('whose hash is of other costs is right, and is to be hashed anew', async () => {
    const dearer = createPasswordHasher({ maxAtOnce: 1, maxWaiting: 0, costs: { ...CHEAP, memory: 16 } });
    const hash = await hasher.hash(PASSWORD);
    expect(await dearer.verify(PASSWORD, hash)).toEqual({ isRight: true, needsRehash: true });
    expect(await dearer.verify('another', hash)).toEqual({ isRight: false, needsRehash: false });
  });

  it('has to wait for a place, and beyond the places to wait is refused with the time to come back', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash(PASSWORD)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(results.length - refused.length).toBe(4);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'OVERLOADED', headers: { 'retry-after': '1' } });
      expect(reason).toBeInstanceOf(AppError);
    }
    expect((await hasher.verify(PASSWORD, await hasher.hash(PASSWORD))).isRight).toBe(true);
  });
});
