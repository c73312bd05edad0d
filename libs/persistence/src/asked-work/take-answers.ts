import { providerKeyOf } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Circuits } from '../circuits.ts';
import type { Database, Transaction } from '../database.ts';
import type { Inbox } from '../inbox.ts';

/** Answer of a worker to a command of asked work. */
export interface Answer {
  id: string;
  projectId: string;
  data: {
    model: string;
    /** Calls that the model answered. */
    calls: number;
    outcome: { status: string; isTimeout?: boolean | undefined };
  };
}

export interface TakeAnswersOptions<Message extends Answer, Prepared, Taken> {
  database: Database;
  inbox: Inbox;
  circuits: Circuits;
  clock: Clock;
  /** Does the work that needs no transaction. */
  prepare(projectId: string, messages: readonly Message[]): Promise<Prepared>;
  /** Applies the answers of one project that have not been applied yet, in order of arrival. */
  take(tx: Transaction, projectId: string, fresh: readonly Message[], prepared: Prepared): Promise<Taken>;
  /** Runs after the answers have been applied. */
  taken(projectId: string, taken: Taken): Promise<void>;
  /** Runs when a provider of a project answers again after a pause. */
  afterRecovery(projectId: string): Promise<void>;
  /** Signals that workers have capacity for more. */
  wake(): void;
}

/**
 * Applies the answers to asked work, each message once. All effects of one project's answers, and whether its providers
 * answer, are written in one transaction.
 */
export function createTakeAnswers<Message extends Answer, Prepared, Taken>(
  options: TakeAnswersOptions<Message, Prepared, Taken>,
): (messages: readonly Message[]) => Promise<void> {
  const { database, inbox, circuits, clock } = options;

  async function takeProject(projectId: string, messages: readonly Message[]): Promise<void> {
    const prepared = await options.prepare(projectId, messages);
    const result = await database.withTransaction(async (tx) => {
      const accepted = await inbox.accept(tx, idsOf(messages));
      const fresh = messages.filter(({ id }) => accepted.has(id));
      if (fresh.length === 0) return undefined;
      const taken = await options.take(tx, projectId, fresh, prepared);
      return { taken, isRecovery: await noteAnswers(tx, circuits, fresh, clock.now()) };
    });
    if (result === undefined) return;
    await options.taken(projectId, result.taken);
    if (result.isRecovery) await options.afterRecovery(projectId);
  }

  return async (messages) => {
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      await takeProject(projectId, some);
    }
    options.wake();
  };
}

/**
 * Records which providers answered and which timed out; tells whether one that was not called for a while answers
 * again.
 */
export async function noteAnswers(
  tx: Transaction,
  circuits: Circuits,
  messages: readonly Answer[],
  nowMs: number,
): Promise<boolean> {
  let isRecovery = false;
  const keyOf = ({ projectId, data }: Answer) => providerKeyOf(projectId, data.model);
  for (const [key, ofProvider] of Map.groupBy(messages, keyOf)) {
    const late = ofProvider.filter(({ data }) => data.calls === 0 && isLate(data.outcome)).length;
    // An answered call is stronger evidence than a timed-out one.
    if (ofProvider.some(({ data }) => data.calls > 0)) isRecovery = (await circuits.answered(tx, key)) || isRecovery;
    else if (late > 0) await circuits.timedOut(tx, key, late, nowMs);
  }
  return isRecovery;
}

function isLate({ status, isTimeout }: Answer['data']['outcome']): boolean {
  return status === 'later' && isTimeout === true;
}

function idsOf(messages: readonly Answer[]): string[] {
  return messages.map(({ id }) => id);
}
