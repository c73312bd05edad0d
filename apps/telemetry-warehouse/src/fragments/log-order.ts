import type { LogRecord } from '@clew/contracts';

/**
 * Keeps the order of log records with equal times: with a coarse clock, a whole history is reported within a
 * millisecond. Within one span, each record with different content counts one nanosecond later than the one before it;
 * a repeated record keeps its time.
 */
export function createLogOrder(): (log: LogRecord) => LogRecord {
  /** Records of one span and time, by their content. */
  const together = new Map<string, Map<string, LogRecord>>();
  /** First record of each span and time. Nearly all are alone, so that content is compared only for the second. */
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
