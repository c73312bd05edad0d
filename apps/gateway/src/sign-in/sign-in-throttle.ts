import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { comeBackLater } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import type { Tokens } from '../sessions/tokens.ts';
import { addressBlock } from './address-block.ts';
import { signInTries } from './sign-in-throttle.model.ts';

/** Try at signing in: the address it comes from, and the account if it names one. */
export interface Try {
  address: string | null;
  /** Account by its key, whether it exists or not. */
  account?: string;
  /**
   * Whether somebody has signed in to this account from this address before: then the failures of others do not make
   * them wait.
   */
  isFamiliar?: () => Promise<boolean>;
}

/** Try that is under way; for its account it counts as failed until it is told to have succeeded. */
export interface BegunTry {
  /** Failures of the account from anywhere, with this one, if it fails. */
  readonly failures: number;
  /** Tells whether the failures of the account are to be noted: once in the window, when the free ones are used up. */
  isNotable(): Promise<boolean>;
  succeeded(): Promise<void>;
  failed(): Promise<void>;
  /** Takes the try back, because nothing was tried after all. */
  withdraw(): Promise<void>;
}

/** Slows down those who guess. It never locks anybody out: each try has to wait, at most a minute. */
export interface SignInThrottle {
  /** Counts a try; throws RATE_LIMITED with the time to wait. */
  begin(attempt: Try): Promise<BegunTry>;
}

const WINDOW_SECONDS = 15 * 60;
const MAX_WAIT_SECONDS = 60;
/** Failures in the window after which tries wait. Behind one address there may be a whole office. */
const FREE_FAILURES = { pair: 5, account: 5, address: 20 } as const;
type Kind = keyof typeof FREE_FAILURES;

interface Counted {
  kind: Kind;
  key: string;
  failed: number;
}

/** Throttle that all replicas share. Addresses and accounts are stored as hashes. */
export function createSignInThrottle(database: Database, tokens: Tokens): SignInThrottle {
  const failures = limiterOf(database, 'failures', Number.MAX_SAFE_INTEGER);
  /** One try for each wait, so that tries at the same moment do not pass together. */
  const turns = createPlaces(limiterOf(database, 'turns', 1));

  async function takeTurn({ kind, key, failed }: Counted, attempt: Try): Promise<number> {
    // The last free failure takes the first turn, so that the try after it waits.
    const beyond = failed - FREE_FAILURES[kind];
    if (beyond < 0) return 0;
    if (kind === 'account' && (await attempt.isFamiliar?.()) === true) return 0;
    return await turns.take(key, Math.min(MAX_WAIT_SECONDS, 2 ** Math.min(beyond + 1, 6)));
  }

  /**
   * Takes the turns one after the other, the narrowest first: of tries at the same moment one gets through. Resolves
   * with the time to wait.
   */
  async function takeTurns(counted: readonly Counted[], attempt: Try): Promise<number> {
    for (const each of counted) {
      const waitMs = await takeTurn(each, attempt);
      if (waitMs > 0) return waitMs;
    }
    return 0;
  }

  /**
   * Counts a try at an account before the password is looked at, so that many at the same moment do not pass together.
   * Failures of an address are counted afterwards: a whole office may sign in at the same moment.
   */
  async function count({ kind, key }: { kind: Kind; key: string }): Promise<Counted> {
    if (kind === 'address') return { kind, key, failed: ((await failures.get(key))?.consumedPoints ?? 0) + 1 };
    return { kind, key, failed: (await failures.penalty(key)).consumedPoints };
  }

  return {
    async begin(attempt) {
      const counted = await Promise.all(keysOf(attempt, tokens).map(count));
      const ofAccount = counted.filter(({ kind }) => kind !== 'address');
      const withdraw = async () => void (await Promise.all(ofAccount.map(({ key }) => failures.reward(key))));
      const waitMs = await takeTurns(counted, attempt);
      if (waitMs > 0) {
        // A try that has to wait is no failure: nothing was tried.
        await withdraw();
        throw comeBackLater('RATE_LIMITED', 'Too many tries have failed: wait before the next', waitMs);
      }
      const account = counted.find(({ kind }) => kind === 'account');
      return {
        withdraw,
        failures: account?.failed ?? 0,
        async isNotable() {
          if (account === undefined || account.failed < FREE_FAILURES.account) return false;
          return (await turns.take(`noted ${account.key}`, WINDOW_SECONDS)) === 0;
        },
        async succeeded() {
          const ended = ofAccount.flatMap(({ key }) => [failures.delete(key), turns.free(key)]);
          await Promise.all(ended);
        },
        async failed() {
          const addresses = counted.filter(({ kind }) => kind === 'address');
          await Promise.all(addresses.map(({ key }) => failures.penalty(key)));
        },
      };
    },
  };
}

function limiterOf(database: Database, keyPrefix: string, points: number): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: nativeDb(database.connection),
    ...{ tableName: signInTries(database.connection).collectionName, disableIndexesCreation: true },
    ...{ keyPrefix, points, duration: WINDOW_SECONDS },
  });
}

/** Keys under which a try is counted, the narrowest first. */
function keysOf({ address, account }: Try, tokens: Tokens): { kind: Kind; key: string }[] {
  const block = addressBlock(address);
  const ofAccount: [Kind, string][] = [
    ['pair', `${block} ${account}`],
    ['account', account ?? ''],
  ];
  const named: [Kind, string][] = [...(account === undefined ? [] : ofAccount), ['address', block]];
  return named.map(([kind, value]) => ({ kind, key: tokens.hashOf('throttle', `${kind} ${value}`) }));
}

/** Places of which each key has one. */
function createPlaces(limiter: RateLimiterMongo) {
  return {
    /** Takes the place of a key for a time; resolves with 0, or the time until it is free again. */
    async take(key: string, seconds: number): Promise<number> {
      // The types of the library know no `customDuration` here.
      const options = { attrs: {}, customDuration: seconds };
      try {
        await limiter.consume(key, 1, options);
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused.msBeforeNext;
        throw refused;
      }
    },
    free: (key: string) => limiter.delete(key),
  };
}
