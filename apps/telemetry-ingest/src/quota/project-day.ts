import type { IngestAllowance, IngestAmount, IngestCount } from '@clew/contracts';
import { nextDayMs, quotaExceeded, type AppError } from '@clew/kernel';

const MIB = 1024 * 1024;
/** Least amount that a process that receives data would like to accept without asking. */
const LEAST_WANTED: IngestAmount = { bytes: MIB, records: 1_000 };
/** Multiple of what it received since its last report that it would like to accept until the next. */
const AHEAD = 2;

/** Count of what this process has accepted of a project on a day, with what it may accept. */
export class ProjectDay {
  readonly projectId: string;
  readonly day: string;
  /** Whether the allowance is known and no change of it was announced since. */
  isFresh = false;
  /** Whether the last answer gave less than was needed, because there is no more. */
  isShort = false;
  /** Number of announced changes: an answer that was asked for before one is not fresh. */
  news = 0;
  /** Time of the monotonic clock until which a refusal is repeated without asking. */
  refusedUntilMs = 0;
  #allowance: IngestAllowance | undefined;
  readonly #counted: IngestAmount = { bytes: 0, records: 0 };
  readonly #pending: IngestAmount = { bytes: 0, records: 0 };
  #needed: IngestAmount = { bytes: 0, records: 0 };
  #reported: IngestAmount = { bytes: 0, records: 0 };
  #hasTaken = false;

  constructor(projectId: string, day: string) {
    this.projectId = projectId;
    this.day = day;
  }

  /** Whether anything is to be reported: counts, a wait, or an allowance that can be given back. */
  get isDue(): boolean {
    const counted = this.#counted.records !== this.#reported.records || this.#counted.bytes !== this.#reported.bytes;
    return counted || this.#needed.records > 0 || this.#holdsMore();
  }

  /** Whether nothing is left to count or to report, so that it can be forgotten once its day is over. */
  get isSettled(): boolean {
    return !this.isDue && this.#pending.records === 0;
  }

  hasRoomFor(amount: IngestAmount): boolean {
    const allowance = this.#allowance;
    if (allowance === undefined || !this.isFresh || allowance.storage !== null) return false;
    return hasRoom(this, 'bytes', allowance) && hasRoom(this, 'records', allowance);

    function hasRoom(self: ProjectDay, unit: keyof IngestAmount, { mayReach }: IngestAllowance): boolean {
      const most = mayReach[unit];
      return most === null || self.#counted[unit] + self.#pending[unit] + amount[unit] <= most;
    }
  }

  /** Error for an amount that has no room. */
  refusal({ bytes, records }: IngestAmount, nowMs: number): AppError | undefined {
    const allowance = this.#allowance;
    if (allowance === undefined) return undefined;
    const { storage, limit, used, mayReach } = allowance;
    if (storage !== null) return quotaExceeded({ quota: 'storedBytes', ...storage, opensAtMs: null }, nowMs);
    const opensAtMs = nextDayMs(Date.parse(this.day));
    if (limit.bytes !== null && this.#counted.bytes + this.#pending.bytes + bytes > (mayReach.bytes ?? Infinity)) {
      return quotaExceeded({ quota: 'ingestedBytesPerDay', limit: limit.bytes, used: used.bytes, opensAtMs }, nowMs);
    }
    if (
      limit.records !== null &&
      this.#counted.records + this.#pending.records + records > (mayReach.records ?? Infinity)
    ) {
      return quotaExceeded(
        { quota: 'ingestedRecordsPerDay', limit: limit.records, used: used.records, opensAtMs },
        nowMs,
      );
    }
    return undefined;
  }

  need({ bytes, records }: IngestAmount): void {
    this.#needed = { bytes: this.#needed.bytes + bytes, records: this.#needed.records + records };
  }

  noLongerNeed({ bytes, records }: IngestAmount): void {
    this.need({ bytes: -bytes, records: -records });
  }

  reserve({ bytes, records }: IngestAmount): void {
    this.#hasTaken = true;
    this.#pending.bytes += bytes;
    this.#pending.records += records;
  }

  /** Ends a reservation; what was accepted is counted. */
  end({ bytes, records }: IngestAmount, isAccepted: boolean): void {
    this.#pending.bytes -= bytes;
    this.#pending.records -= records;
    if (!isAccepted) return;
    this.#counted.bytes += bytes;
    this.#counted.records += records;
  }

  /** Returns the report of this moment. What is on its way counts as needed, so that its room is not given away. */
  report(): IngestCount {
    const wanted = (unit: keyof IngestAmount) =>
      this.#hasTaken ? Math.max(LEAST_WANTED[unit], AHEAD * (this.#counted[unit] - this.#reported[unit])) : 0;
    const needed = (unit: keyof IngestAmount) => this.#needed[unit] + this.#pending[unit];
    const ask = { bytes: wanted('bytes'), records: wanted('records') };
    this.#hasTaken = false;
    // The answer may give less than what is held, and the rest to another process: nothing is accepted meanwhile.
    if (this.#isLimited()) this.isFresh = false;
    return {
      ...{ projectId: this.projectId, day: this.day, counted: { ...this.#counted } },
      ...{ needed: { bytes: needed('bytes'), records: needed('records') }, wanted: ask },
    };
  }

  /** Takes the answer to a report. */
  answered(allowance: IngestAllowance, { counted, needed }: IngestCount, isFresh: boolean): void {
    const gaveLess = (unit: keyof IngestAmount) =>
      (allowance.mayReach[unit] ?? Infinity) < counted[unit] + needed[unit];
    this.isShort = allowance.storage !== null || gaveLess('bytes') || gaveLess('records');
    this.#allowance = allowance;
    this.#reported = counted;
    this.isFresh = isFresh;
  }

  /** Drops what was known of a quota, because it has changed. */
  changed(): void {
    this.isFresh = false;
    this.news += 1;
    this.refusedUntilMs = 0;
  }

  #isLimited(): boolean {
    const { bytes, records } = this.#allowance?.mayReach ?? { bytes: null, records: null };
    return bytes !== null || records !== null;
  }

  #holdsMore(): boolean {
    const mayReach = this.#allowance?.mayReach;
    if (mayReach === undefined) return false;
    const isAhead = (unit: keyof IngestAmount) => (mayReach[unit] ?? 0) > this.#counted[unit];
    return isAhead('bytes') || isAhead('records');
  }
}
