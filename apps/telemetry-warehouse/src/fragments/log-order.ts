import type { LogRecord } from '@clew/contracts';

/**
 * Keeps the order of log records that a coarse clock gave one time: a whole history is told within a millisecond. Of
 * one span, each that says something else counts a nanosecond later than the one before it; a repeat has its time.
 */
export function createLogOrder(): (log: LogRecord) => LogRecord {
  /** Those of one span and time, by what they say. */
  const together = new Map<string, Map<string, LogRecord>>();
  /** Nearly all have a time of their own, so that only what comes to one is compared. */
  const first = new Map<string, LogRecord>();

  return (log) => {
    const place = `${log.traceId}:${log.spanId}:${log.timeUnixNano}`;
    const alone = first.get(place);
    if (alone === undefined) {
      first.set(place, log);
      return log;
    }
    const known = together.get(place) ?? new Map([[textOf(alone), alone]]);
    together.set(place, known);
    const text = textOf(log);
    const record = known.get(text) ?? { ...log, timeUnixNano: String(BigInt(log.timeUnixNano) + BigInt(known.size)) };
    known.set(text, record);
    return record;
  };
}

function textOf({ eventName, body, attributes }: LogRecord): string {
  return JSON.stringify([eventName, body, attributes]);
}
