/**
 * Fields of a document that is a scheduled task. Its owner writes `dueAt`, always with a new value, in the transaction
 * that makes it due; this helper owns the others. Times are Unix epoch milliseconds.
 */
export interface ScheduleFields {
  /** Due time; absent or null while nothing is due. */
  dueAt?: number | null;
  /** Time until which one process holds the task. */
  leaseUntil?: number;
  /** Identifier of the claim that the lease belongs to. */
  claim?: string | null;
  /** Claims since the last settlement: more than one means that the task fails, or kills its process. */
  attempts?: number;
  /** Set while the task waits for a person, or for an event that makes it due again. */
  givenUpAt?: number | null;
  givenUpReason?: string | null;
}

/** Mongoose schema of the fields. */
export const scheduleFields = {
  ...{ dueAt: Number, leaseUntil: Number, claim: String, attempts: Number },
  ...{ givenUpAt: Number, givenUpReason: String },
} as const;

export type ScheduledTask = ScheduleFields & { _id: string };

/** Fields of a row that a claim sets or reads. */
export interface ClaimedTask {
  _id: string;
  dueAt: number;
  claim: string;
  attempts: number;
}

export type Claimed<Row> = Row & ClaimedTask;

export const ENDED = { leaseUntil: 0, claim: null } as const;

/** Negated, because a row that was never claimed has no lease; the index still serves the query. */
export function claimableAt(nowMs: number) {
  return { dueAt: { $gt: 0, $lte: nowMs }, leaseUntil: { $not: { $gt: nowMs } } };
}

export function idsOf(some: readonly { _id: string }[]): string[] {
  return some.map(({ _id }) => _id);
}

export function wasGivenUp({ givenUpAt }: ScheduleFields): boolean {
  return typeof givenUpAt === 'number';
}

export function attemptsOf({ attempts = 0 }: ScheduleFields): number {
  return attempts;
}
