import type { IngestAllowance, IngestAmount, IngestCount } from '@clew/contracts';

/** Amount that one process has accepted of a project on a day, and the one that it may reach without asking. */
export interface ReplicaCount extends IngestAmount {
  mayReachBytes: number;
  mayReachRecords: number;
  /** Time after which what it may reach beyond its count is no longer held for it: it is likely to be gone. */
  expiresAt: number;
}

/** Amount that all processes have accepted of a project on a day. */
export interface IngestDay extends IngestAmount {
  replicas: Record<string, ReplicaCount>;
}

export type IngestLimits = IngestAllowance['limit'];

export const NOTHING_INGESTED: IngestDay = { bytes: 0, records: 0, replicas: {} };

/** Time for which allowances are held for a process that says nothing more; it reports every second while it has any. */
export const ALLOWANCE_MS = 10_000;
/** Share of the free amount that one process gets in advance: others need some, too. */
const SHARES = 4;

/**
 * Takes the report of a process. Counts only grow, so a report that comes twice, or late, changes nothing. The grants
 * of all processes together, and what they have counted, stay within the limit, except for what a process had
 * when it was killed and had not told.
 */
export function afterReport(
  day: IngestDay,
  replica: string,
  { counted, needed, wanted }: Pick<IngestCount, 'counted' | 'needed' | 'wanted'>,
  { limit, nowMs }: { limit: IngestLimits; nowMs: number },
): { day: IngestDay; mayReach: IngestLimits } {
  const { [replica]: own, ...others } = day.replicas;
  const count = {
    bytes: Math.max(own?.bytes ?? 0, counted.bytes),
    records: Math.max(own?.records ?? 0, counted.records),
  };
  const held = Object.values(others);
  const mayReachOf = (unit: keyof IngestAmount, mayReachName: 'mayReachBytes' | 'mayReachRecords') => {
    const most = limit[unit];
    if (most === null) return null;
    const taken = held.reduce((sum, other) => {
      const ahead = other.expiresAt > nowMs ? Math.max(0, other[mayReachName] - other[unit]) : 0;
      return sum + other[unit] + ahead;
    }, count[unit]);
    return count[unit] + granted(most - taken, needed[unit], wanted[unit]);
  };
  const mayReach = {
    bytes: mayReachOf('bytes', 'mayReachBytes'),
    records: mayReachOf('records', 'mayReachRecords'),
  };
  const entry: ReplicaCount = {
    ...count,
    mayReachBytes: mayReach.bytes ?? count.bytes,
    mayReachRecords: mayReach.records ?? count.records,
    expiresAt: nowMs + ALLOWANCE_MS,
  };
  const sum = (unit: keyof IngestAmount) => held.reduce((total, other) => total + other[unit], count[unit]);
  return {
    day: { bytes: sum('bytes'), records: sum('records'), replicas: { ...others, [replica]: entry } },
    mayReach,
  };
}

function granted(free: number, needed: number, wanted: number): number {
  return Math.max(0, Math.min(free, Math.max(needed, Math.min(wanted, Math.floor(free / SHARES)))));
}
