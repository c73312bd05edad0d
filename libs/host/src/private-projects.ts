import { setTimeout as sleep } from 'node:timers/promises';
import { listPrivateProjects, privacyChanged, type PrivacySettings } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { comeBackLater } from '@clew/kernel';
import { subscribeBroadcast, type Broker } from '@clew/messaging';
import type { BackgroundTask, Logger } from '@clew/runtime';

/** Privacy settings of all projects, as the telemetry warehouse has them. */
export interface PrivateProjects {
  /**
   * Returns the settings of a project; undefined if nothing of it is masked or left out. Waits for settings that are not
   * known yet, or have just changed; rejects with OVERLOADED if that takes too long.
   */
  of(projectId: string): Promise<PrivacySettings | undefined>;
  start(): BackgroundTask;
}

export interface PrivateProjectsOptions {
  warehouse: Pick<ServiceClient, 'call'>;
  broker: Broker;
  logger: Logger;
  /** Time for which a caller waits for settings that are not known. */
  patienceMs?: number;
}

const PATIENCE_MS = 5_000;
const RETRY_MS = 500;
/** Interval at which all settings are read again, in case that a change was not heard. */
const REFRESH_MS = 30_000;
const RETRY_AFTER_MS = 2_000;

/**
 * Keeps the settings of the projects that have any. They are read at the start, after every interruption of the
 * subscription, and one by one when a change is announced. Until the first answer nothing is known, and callers are
 * refused, because what would be stored unmasked stays; later on the last known settings count until newer ones are
 * read, except for a project whose change was heard and could not be read yet.
 */
export function watchPrivateProjects(options: PrivateProjectsOptions): PrivateProjects {
  const { warehouse, logger, patienceMs = PATIENCE_MS } = options;
  const reads = createReads(logger);
  let known: Map<string, PrivacySettings> | undefined;
  /** Changes that were heard and not read yet, by project. */
  const unread = new Map<string, number>();
  let news = Promise.withResolvers<void>();

  const tell = () => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };

  async function readAll(): Promise<void> {
    const all = new Map<string, PrivacySettings>();
    let after: string | undefined;
    do {
      const query = after === undefined ? {} : { after };
      const { projects, next } = await warehouse.call(listPrivateProjects, { params: {}, query });
      for (const { projectId, privacy } of projects) all.set(projectId, privacy);
      after = next ?? undefined;
    } while (after !== undefined);
    known = all;
    tell();
  }

  async function readOne(projectId: string): Promise<void> {
    const heard = unread.get(projectId);
    const { projects } = await warehouse.call(listPrivateProjects, { params: {}, query: { projectId } });
    const [found] = projects;
    if (found === undefined) known?.delete(projectId);
    else known?.set(projectId, found.privacy);
    if (unread.get(projectId) === heard) unread.delete(projectId);
    tell();
  }

  return {
    async of(projectId) {
      const untilMs = performance.now() + patienceMs;
      for (;;) {
        if (known !== undefined && !unread.has(projectId)) return known.get(projectId);
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) throw comeBackLater('OVERLOADED', 'It is not known yet what may be stored', RETRY_AFTER_MS);
        const waited = new AbortController();
        await Promise.race([news.promise, sleep(leftMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
        waited.abort();
      }
    },
    start() {
      const broadcast = subscribeBroadcast({
        ...{ broker: options.broker, logger, spec: privacyChanged },
        handle({ projectId }) {
          unread.set(projectId, (unread.get(projectId) ?? 0) + 1);
          reads.add(() => readOne(projectId));
        },
        onSubscribed: () => reads.add(readAll),
      });
      reads.add(readAll);
      const refresh = setInterval(() => {
        if (!reads.areWaiting()) reads.add(readAll);
      }, REFRESH_MS);
      refresh.unref();
      return {
        name: 'privacy settings',
        async stop() {
          clearInterval(refresh);
          await broadcast.stop();
          await reads.stop();
        },
      };
    },
  };
}

/** Reads one after the other, each until it succeeds, so that an older answer never takes the place of a newer one. */
function createReads(logger: Logger) {
  const ending = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function persistently(read: () => Promise<void>): Promise<void> {
    waiting -= 1;
    for (let failures = 0; !ending.signal.aborted; failures += 1) {
      try {
        await read();
        return;
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'privacy settings cannot be read');
      }
      await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  return {
    add(read: () => Promise<void>): void {
      waiting += 1;
      last = last.then(() => persistently(read));
    },
    areWaiting: () => waiting > 0,
    async stop() {
      ending.abort();
      await last;
    },
  };
}
