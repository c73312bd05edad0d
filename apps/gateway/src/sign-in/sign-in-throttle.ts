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

/** Try that is under way; it counts as failed until it is told to have succeeded. */
export interface BegunTry {
  /** Failures of the account from anywhere, with this one, if it fails. */
  readonly failures: number;
  /** Whether the next failure of the account makes it wait: told once for each row of failures. */
  readonly isLastFree: boolean;
  succeeded(): Promise<void>;
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

/** Throttle that all replicas share. Addresses and accounts are stored as hashes. */
export function createSignInThrottle(database: Database, tokens: Tokens): SignInThrottle {
  const limiterOf = (keyPrefix: string, points: number) =>
    new RateLimiterMongo({
      storeClient: nativeDb(database.connection),
      ...{
        tableName: signInTries(database.connection).collectionName,
        keyPrefix,
        points,
        duration: WINDOW_SECONDS,
        disableIndexesCreation: true,
      },
    });
  const failures = limiterOf('failures', Number.MAX_SAFE_INTEGER);
  /** One try for each wait, so that tries at the same moment do not pass together. */
  const turns = limiterOf('turns', 1);

  interface Counted {
    kind: Kind;
    key: string;
    failed: number;
  }

  function keysOf({ address, account }: Try): { kind: Kind; key: string }[] {
    const block = addressBlock(address);
    const named: [Kind, string][] = [
      ['address', block],
      ...(account === undefined
        ? []
        : ([
            ['account', account],
            ['pair', `${block} ${account}`],
          ] as [Kind, string][])),
    ];
    return named.map(([kind, value]) => ({ kind, key: tokens.hashOf('throttle', `${kind} ${value}`) }));
  }

  async function takeTurn({ kind, key, failed }: Counted, attempt: Try): Promise<number> {
    // The last free failure takes the first turn, so that the try after it waits.
    const beyond = failed - FREE_FAILURES[kind];
    if (beyond < 0) return 0;
    if (kind === 'account' && (await attempt.isFamiliar?.()) === true) return 0;
    // The types of the library know no `customDuration` here.
    const options = { attrs: {}, customDuration: Math.min(MAX_WAIT_SECONDS, 2 ** Math.min(beyond + 1, 6)) };
    try {
      await turns.consume(key, 1, options);
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused.msBeforeNext;
      throw refused;
    }
  }

  return {
    async begin(attempt) {
      const counted: Counted[] = await Promise.all(
        keysOf(attempt).map(async ({ kind, key }) => ({
          kind,
          key,
          failed: (await failures.penalty(key)).consumedPoints,
        })),
      );
      const waits = await Promise.all(counted.map((each) => takeTurn(each, attempt)));
      const waitMs = Math.max(...waits);
      if (waitMs > 0) {
        // A try that has to wait is no failure: nothing was tried.
        await Promise.all(counted.map(({ key }) => failures.reward(key)));
        throw comeBackLater('RATE_LIMITED', 'Too many tries have failed: wait before the next', waitMs);
      }
      const account = counted.find(({ kind }) => kind === 'account');
      return {
        failures: account?.failed ?? 0,
        isLastFree: account?.failed === FREE_FAILURES.account,
        async succeeded() {
          const ended = counted.map(({ kind, key }) =>
            // The address is not forgiven what it did to other accounts.
            kind === 'address' ? failures.reward(key) : Promise.all([failures.delete(key), turns.delete(key)]),
          );
          await Promise.all(ended);
        },
      };
    },
  };
}
