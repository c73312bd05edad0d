import type { IncomingMessage } from 'node:http';
import { AppError, type Clock } from '@clew/kernel';
import type { Authenticator } from '../auth/authenticator.ts';
import { isSignedIn, type Credential } from '../auth/credential.ts';
import type { ProjectAccess } from '../auth/project-access.ts';
import { callerFor } from '../caller.ts';
import { endOf } from '../sessions/session.ts';
import { typesFor, type TypeSet } from './change-events.ts';

/** Access of one listener, from the beginning of its stream to the end. */
export interface ListenerAccess {
  /** Types of the things whose changes it may hear of. */
  readonly types: TypeSet;
  /**
   * Looks at the access anew, as often as it may have changed meanwhile; resolves with whether the types are others
   * now, and rejects if there is no access. A look under way is only told to look once more.
   */
  check(): Promise<boolean>;
  /** Whether the access depends on the key, session or person. */
  dependsOn(id: string): boolean;
  /** Whether it must be looked at, because the credential has expired or the last look is too long ago. */
  isDue(nowMs: number): boolean;
}

export interface ListenerAccessOptions {
  authenticator: Pick<Authenticator, 'authenticate'>;
  projectAccess: ProjectAccess;
  clock: Clock;
  /** Interval of looks, in case that word of a change did not arrive. */
  recheckMs: number;
}

export function createListenerAccess(
  { authenticator, projectAccess, clock, recheckMs }: ListenerAccessOptions,
  { request, projectId }: { request: IncomingMessage; projectId: string },
): ListenerAccess {
  let types: TypeSet = 0;
  let ids: readonly string[] = [];
  let endsAtMs = Infinity;
  let checkedAtMs = clock.now();
  let [isStale, isChecking] = [false, false];

  async function look(): Promise<void> {
    const credential = await authenticator.authenticate(request, true);
    await projectAccess(credential, projectId);
    types = typesFor(callerFor(credential, projectId));
    if (types === 0) throw new AppError('FORBIDDEN', 'Not allowed');
    [ids, endsAtMs, checkedAtMs] = [idsOf(credential), endOfCredential(credential), clock.now()];
  }

  return {
    get types() {
      return types;
    },
    async check() {
      isStale = true;
      if (isChecking) return false;
      isChecking = true;
      const before = types;
      try {
        while (isStale) {
          isStale = false;
          await look();
        }
      } finally {
        isChecking = false;
      }
      return types !== before;
    },
    // A look under way may have read what has just changed.
    dependsOn: (id) => isChecking || ids.includes(id),
    isDue: (nowMs) => endsAtMs <= nowMs || nowMs - checkedAtMs >= recheckMs,
  };
}

function idsOf(credential: Credential): string[] {
  if (isSignedIn(credential)) return [credential.session.id, credential.user.id];
  return credential.userId === null ? [credential.id] : [credential.id, credential.userId];
}

function endOfCredential(credential: Credential): number {
  return isSignedIn(credential) ? endOf(credential.session) : (credential.expiresAt ?? Infinity);
}
