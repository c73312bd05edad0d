/**
 * The fields of a document that has a due time. Its owner writes `dueAt`, never the one that is there already, in the
 * transaction that makes it due; the others belong to this helper. Times are Unix epoch milliseconds.
 */
export interface DueFields {
  /** Absent or null while nothing is due. */
  dueAt?: number | null;
  /** Until then one process has it. */
  leaseUntil?: number;
  /** Names the claim that the lease belongs to. */
  claim?: string | null;
  /** Claims since it was last settled: more than one say that it fails, or kills its process. */
  attempts?: number;
  /** Set while it waits for a person, or for whatever makes it due again. */
  givenUpAt?: number | null;
  givenUpReason?: string | null;
}

/** The fields as a mongoose schema declares them. */
export const dueFields = {
  ...{ dueAt: Number, leaseUntil: Number, claim: String, attempts: Number },
  ...{ givenUpAt: Number, givenUpReason: String },
} as const;

export type DueRow = DueFields & { _id: string };

/** What a claim says of a row. */
export interface ClaimedRow {
  _id: string;
  dueAt: number;
  claim: string;
  attempts: number;
}

export type Claimed<Row> = Row & ClaimedRow;

export const ENDED = { leaseUntil: 0, claim: null } as const;

/** By a negation, since a row that was never claimed has no lease; within the index all the same. */
export function claimableAt(nowMs: number) {
  return { dueAt: { $gt: 0, $lte: nowMs }, leaseUntil: { $not: { $gt: nowMs } } };
}

export function idsOf(some: readonly { _id: string }[]): string[] {
  return some.map(({ _id }) => _id);
}

export function wasGivenUp({ givenUpAt }: DueFields): boolean {
  return typeof givenUpAt === 'number';
}

export function attemptsOf({ attempts = 0 }: DueFields): number {
  return attempts;
}
