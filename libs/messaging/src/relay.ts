import { onOutboxAppended, createLease, outboxCollection, type Database, type OutboxRow } from '@clew/persistence';
import { EXCHANGE_OF_KIND } from '@clew/contracts';
import { backoffMs, describeError, type BackOff } from '@clew/kernel';
import { resumeTrace, Wakeup, inSpan, type Backlog, type Logger, type BackgroundTask } from '@clew/runtime';
import { BrokerUnavailableError } from './errors.ts';
import { TRACE_HEADER } from './headers.ts';
import type { Publisher } from './publisher.ts';
import { hasDurableSubscriber } from './queues.ts';

export interface RelayOptions {
  database: Database;
  publisher: Publisher;
  logger: Logger;
  /**
   * Polling interval of the outbox, for rows that do not wake the relay, such as those of another replica; 50 by
   * default, and up to five times as long while nothing comes.
   */
  pollMs?: number;
  /** Rows per round; 200 by default. */
  batchSize?: number;
  /** Time that the other replicas wait for a dead one; 5,000 by default. */
  leaseMs?: number;
  /**
   * Tells whether a row waits until some queue is bound for it; by default all except events without a durable queue.
   */
  isMandatory?(row: Pick<OutboxRow, 'exchange' | 'routingKey'>): boolean;
}

export interface Relay extends BackgroundTask {
  /** Counts the messages that are not published yet, up to 20,000. */
  backlog(): Promise<Backlog>;
  /** Milliseconds since the last round ended, whether it succeeded or not; for liveness. */
  heartbeatAgeMs(): number;
  /** Publishes the remaining rows, as far as the broker accepts them within 5 s, and ends. */
  stop(): Promise<void>;
}

type Outcome = 'more' | 'idle' | 'standby' | 'unavailable';

const MAX_BACKOFF_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;
const STANDBY_POLL_MS = 1_000;
const MAX_IDLE_POLLS = 5;
const PROMOTE_INTERVAL_MS = 1_000;
const DEFERRAL: BackOff = { firstMs: 1_000, maxMs: 60_000 };
const COUNT_LIMIT = 10_000;

/**
 * Publishes the outbox of a database in the order of its rows, and marks them after the confirm: at least once. A lease
 * lets one replica at a time do so; if two do, messages are published twice, with the same id.
 */
export function startRelay(options: RelayOptions): Relay {
  const { database, logger, pollMs = 50 } = options;
  const backOff: BackOff = { firstMs: 2 * pollMs, maxMs: MAX_BACKOFF_MS };
  const wakeup = new Wakeup();
  const endListening = onOutboxAppended(database, () => wakeup.wake());
  const rounds = new RelayRounds(options);
  let stopping = false;
  let heartbeatAtMs = Date.now();
  let failures = 0;
  let idleRounds = 0;

  async function run(): Promise<void> {
    while (!stopping) {
      const outcome = await roundOrBackOff();
      heartbeatAtMs = Date.now();
      failures = outcome === 'unavailable' ? failures + 1 : 0;
      idleRounds = outcome === 'idle' ? Math.min(MAX_IDLE_POLLS, idleRounds + 1) : 0;
      if (outcome === 'idle') await wakeup.wait(pollMs * idleRounds);
      if (outcome === 'standby') await wakeup.wait(STANDBY_POLL_MS);
      if (outcome === 'unavailable') await wakeup.waitFully(backoffMs(failures, backOff));
    }
  }

  async function roundOrBackOff(): Promise<Outcome> {
    try {
      return await rounds.next();
    } catch (error) {
      logger.warn({ err: error }, 'relay round failed');
      return 'unavailable';
    }
  }

  const finished = run();
  return {
    name: 'outbox',
    backlog: () => backlogOf(database),
    heartbeatAgeMs: () => Date.now() - heartbeatAtMs,
    async stop() {
      stopping = true;
      endListening();
      wakeup.end();
      await finished;
      const deadlineMs = Date.now() + FLUSH_TIMEOUT_MS;
      while (Date.now() < deadlineMs && (await roundOrBackOff()) === 'more');
      await rounds.end().catch((error: unknown) => logger.warn({ err: error }, 'could not give the relay lease back'));
    },
  };
}

class RelayRounds {
  readonly #options: RelayOptions;
  readonly #lease;
  readonly #rows;
  readonly #leaseMs: number;
  #leaseFreshUntilMs = 0;
  #promoteAtMs = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 5_000;
    this.#lease = createLease(options.database, 'outbox-relay', this.#leaseMs);
    this.#rows = outboxCollection(options.database);
  }

  /** Publishes the next rows and marks those that the broker confirmed. */
  async next(): Promise<Outcome> {
    if (!(await this.#holdLease())) return 'standby';
    await this.#promoteDeferred();
    const batchSize = this.#options.batchSize ?? 200;
    const rows = await this.#rows.find({ state: 'pending' }, { sort: { seq: 1 }, limit: batchSize }).toArray();
    if (rows.length === 0) return 'idle';
    const results = await Promise.allSettled(rows.map((row) => this.#publish(row)));
    const confirmed: string[] = [];
    const refused: { row: OutboxRow; error: unknown }[] = [];
    let unavailable = false;
    rows.forEach((row, index) => {
      const result = results[index];
      if (result?.status === 'fulfilled') confirmed.push(row._id);
      else if (result?.reason instanceof BrokerUnavailableError) unavailable = true;
      else refused.push({ row, error: result?.reason });
    });
    await this.#markPublished(confirmed);
    await this.#defer(refused);
    if (unavailable) return 'unavailable';
    return rows.length === batchSize ? 'more' : 'idle';
  }

  async end(): Promise<void> {
    await this.#lease.release();
  }

  async #holdLease(): Promise<boolean> {
    const nowMs = Date.now();
    if (nowMs < this.#leaseFreshUntilMs) return true;
    const held = await this.#lease.acquire();
    this.#leaseFreshUntilMs = held ? nowMs + this.#leaseMs / 3 : 0;
    return held;
  }

  async #publish(row: OutboxRow): Promise<void> {
    const isMandatory = this.#options.isMandatory ?? isMandatoryByDefault;
    // Passed on even by a process that records no traces itself.
    const headers = row.traceparent === undefined ? {} : { headers: { [TRACE_HEADER]: row.traceparent } };
    const properties = { messageId: row._id, mandatory: isMandatory(row), ...headers };
    const publish = () =>
      this.#options.publisher.publishRaw(row.exchange, row.routingKey, Buffer.from(row.body), properties);
    // The message waited in the outbox for the request that wrote it, so it belongs to that request's trace.
    await inSpan(resumeTrace(row.traceparent, { name: 'relay', kind: 'producer' }), publish);
  }

  async #markPublished(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const published = { $set: { state: 'published' as const, publishedAt: new Date(), body: '' } };
    await this.#rows.updateMany({ _id: { $in: [...ids] } }, published);
  }

  /** Defers rows that the broker rejected (a queue is full or missing), so that the rows behind them proceed. */
  async #defer(refused: readonly { row: OutboxRow; error: unknown }[]): Promise<void> {
    if (refused.length === 0) return;
    const nowMs = Date.now();
    const writes = refused.map(({ row, error }) => {
      const failures = (row.failures ?? 0) + 1;
      const retryAt = new Date(nowMs + backoffMs(failures, DEFERRAL));
      const deferred = { state: 'deferred' as const, failures, retryAt, lastError: describeError(error) };
      // Another relay may have published the row meanwhile; its body is then empty and cannot be sent again.
      return { updateOne: { filter: { _id: row._id, state: 'pending' as const }, update: { $set: deferred } } };
    });
    await this.#rows.bulkWrite(writes, { ordered: false });
    const { row, error } = refused[0] as (typeof refused)[number];
    this.#options.logger.warn({ err: error, count: refused.length, messageId: row._id }, 'the broker refused messages');
  }

  async #promoteDeferred(): Promise<void> {
    const nowMs = Date.now();
    if (nowMs < this.#promoteAtMs) return;
    this.#promoteAtMs = nowMs + PROMOTE_INTERVAL_MS;
    const due = { state: 'deferred' as const, retryAt: { $lte: new Date(nowMs) } };
    await this.#rows.updateMany(due, { $set: { state: 'pending' }, $unset: { retryAt: '' } });
  }
}

function isMandatoryByDefault({ exchange, routingKey }: Pick<OutboxRow, 'exchange' | 'routingKey'>): boolean {
  return exchange !== EXCHANGE_OF_KIND.event || hasDurableSubscriber(exchange, routingKey);
}

async function backlogOf(database: Database): Promise<Backlog> {
  const rows = outboxCollection(database);
  const [pending, deferred, firstPending, firstDeferred] = await Promise.all([
    rows.countDocuments({ state: 'pending' }, { limit: COUNT_LIMIT }),
    rows.countDocuments({ state: 'deferred' }, { limit: COUNT_LIMIT }),
    rows.findOne({ state: 'pending' }, { sort: { seq: 1 }, projection: { at: 1 } }),
    rows.findOne({ state: 'deferred' }, { sort: { at: 1 }, projection: { at: 1 } }),
  ]);
  const nowMs = Date.now();
  const agesMs = [firstPending, firstDeferred].map((row) => (row === null ? 0 : nowMs - row.at.getTime()));
  return { waiting: pending + deferred, oldestAgeMs: Math.max(0, ...agesMs), givenUp: 0 };
}
