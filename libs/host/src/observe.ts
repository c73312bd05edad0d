import type { Database } from '@clew/persistence';
import { observeGauge, type Logger, type MetricsRegistry, type Readiness } from '@clew/runtime';

/** Reports each readiness check as a metric, with the state that the probe sees. */
export function observeReadiness(metrics: MetricsRegistry, readiness: Readiness): void {
  observeGauge(metrics, 'clew_ready', async (set) => {
    const { checks } = await readiness.report();
    for (const [check, state] of Object.entries(checks)) set(state === 'ok' ? 1 : 0, { check });
  });
}

interface DiskFigures {
  /** Size of documents and indexes on the disk, in bytes. */
  totalSize: number;
  fsUsedSize: number;
  fsTotalSize: number;
}

const LOOK_HOLDS_MS = 60_000;
const LOOK_TIMEOUT_MS = 2_000;

/** Reports how full the database's disk is, as a metric. Figures that are unknown at the moment are omitted. */
export function observeDatabaseDisk(metrics: MetricsRegistry, database: Database, logger: Logger): void {
  let latest: { atMs: number; found: Promise<DiskFigures | undefined> } | undefined;
  const look = () => {
    if (latest === undefined || Date.now() - latest.atMs > LOOK_HOLDS_MS) {
      const found = diskFiguresOf(database).catch((error: unknown) => {
        latest = undefined;
        logger.debug({ err: error }, 'could not look at the disk of the database');
        return undefined;
      });
      latest = { atMs: Date.now(), found };
    }
    return latest.found;
  };
  const observe = (name: DiskMetric, read: (figures: DiskFigures) => number) =>
    observeGauge(metrics, name, async (set) => {
      const figures = await look();
      if (figures !== undefined) set(read(figures));
    });
  observe('clew_database_size_bytes', ({ totalSize }) => totalSize);
  observe('clew_database_disk_used_bytes', ({ fsUsedSize }) => fsUsedSize);
  observe('clew_database_disk_total_bytes', ({ fsTotalSize }) => fsTotalSize);
}

type DiskMetric = 'clew_database_size_bytes' | 'clew_database_disk_used_bytes' | 'clew_database_disk_total_bytes';

async function diskFiguresOf({ connection }: Database): Promise<DiskFigures> {
  const stats = await connection.db?.command({ dbStats: 1, maxTimeMS: LOOK_TIMEOUT_MS });
  const { totalSize, fsUsedSize, fsTotalSize } = stats as unknown as DiskFigures;
  if (![totalSize, fsUsedSize, fsTotalSize].every(Number.isFinite)) throw new Error('The server tells no sizes');
  return { totalSize, fsUsedSize, fsTotalSize };
}
