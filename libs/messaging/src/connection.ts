import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { BrokerUnavailableError } from './errors.ts';

export interface ConnectionOptions {
  url: string;
  /** Name of the connection in the broker. */
  name: string;
  logger: Logger;
  /** Checks each new connection; rejects unless everything is present that must exist before it counts as connected. */
  check(channel: Channel): Promise<void>;
  /** Time for an answer on a channel; 2,000 by default. */
  answerTimeoutMs?: number | undefined;
  /** Time for the connection to close; 3,000 by default. */
  closeTimeoutMs?: number | undefined;
}

/** Connection that is re-established whenever it is lost. */
export interface Connection {
  /** Time after which nobody waits any longer for an answer on a channel. */
  readonly answerTimeoutMs: number;
  isConnected(): boolean;
  /** Tells whether the broker, short of memory or disk, accepts no publishes at the moment. */
  isBlocked(): boolean;
  /** Resolves once connected; rejects with BrokerUnavailableError if the signal comes first. */
  whenConnected(signal: AbortSignal): Promise<void>;
  /**
   * Opens a confirm channel on the current connection; rejects with BrokerUnavailableError at once if there is none.
   */
  openChannel(): Promise<ConfirmChannel>;
  /** Calls the listener on every change of isConnected and isBlocked; returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
const ANSWER_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 3_000;
/** Interval at which an ongoing outage is logged again, after the message at its beginning. */
const TELL_EVERY_MS = 60_000;
const CHANGE = 'change';

/** Begins to connect, and resolves at once, even while the broker is away. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const connection = await connect(withHeartbeat(options.url), {
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    keepAlive: true,
    clientProperties: { connection_name: options.name },
    recovery: {
      waitForConnect: false,
      maxDelay: MAX_RECONNECT_DELAY_MS,
      setup: (model: ChannelModel) => checkOn(model, options.check),
    },
  });
  return new WatchedConnection(connection, options);
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
}

async function checkOn(model: ChannelModel, check: ConnectionOptions['check']): Promise<void> {
  // The model has no listeners yet, and an error event without a listener would end the process.
  const ignoreUntilBound = () => undefined;
  model.on('error', ignoreUntilBound);
  const channel = await model.createChannel();
  channel.on('error', ignoreUntilBound);
  await check(channel);
  await channel.close();
}

class WatchedConnection implements Connection {
  readonly answerTimeoutMs: number;
  readonly #closeTimeoutMs: number;
  readonly #connection: RecoveringChannelModel;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #current: ChannelModel | undefined;
  #blocked = false;
  /** Start of the current connection attempt, which may be under way while there is no connection. */
  #attemptFromMs = 0;
  #toldOfFailureAtMs = -Infinity;

  constructor(connection: RecoveringChannelModel, options: ConnectionOptions) {
    const logger = options.logger.child({ connection: options.name });
    this.answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS;
    this.#connection = connection;
    connection.on('connect', (model) => {
      logger.info('broker connected');
      this.#toldOfFailureAtMs = -Infinity;
      this.#change(model, false);
    });
    connection.on('disconnect', (error) => {
      logger.warn({ err: error }, 'broker disconnected');
      this.#change(undefined, false);
    });
    connection.on('blocked', (reason) => {
      logger.warn({ reason }, 'broker takes no publishes');
      this.#change(this.#current, true);
    });
    connection.on('unblocked', () => this.#change(this.#current, false));
    connection.on('error', (error) => logger.warn({ err: error }, 'broker connection error'));
    connection.on('reconnect-scheduled', ({ delay }: { delay: number }) => {
      this.#attemptFromMs = Date.now() + delay;
    });
    connection.on('connect-failed', (error: Error) => this.#tellOfFailure(error, logger));
  }

  isConnected(): boolean {
    return this.#current !== undefined;
  }

  isBlocked(): boolean {
    return this.#blocked;
  }

  async whenConnected(signal: AbortSignal): Promise<void> {
    while (this.#current === undefined) {
      await once(this.#events, CHANGE, { signal }).catch((error: unknown) => {
        throw new BrokerUnavailableError('The broker did not connect in time', { cause: error });
      });
    }
  }

  async openChannel(): Promise<ConfirmChannel> {
    if (this.#current === undefined) throw new BrokerUnavailableError('The broker is not connected');
    return await this.#current.createConfirmChannel();
  }

  onChange(listener: () => void): () => void {
    this.#events.on(CHANGE, listener);
    return () => this.#events.off(CHANGE, listener);
  }

  async close(): Promise<void> {
    const isConnecting = this.#current === undefined && Date.now() >= this.#attemptFromMs;
    this.#change(undefined, false);
    // A connection closed during its setup has no listener, and its error event would end the process.
    const late = () => sleep(this.#closeTimeoutMs, undefined, { ref: false });
    if (isConnecting) await Promise.race([this.#attemptEnded(), late()]);
    // A peer that vanished never answers the closing handshake.
    await Promise.race([this.#connection.close(), late()]);
  }

  async #attemptEnded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#connection.once('connect', () => resolve());
    this.#connection.once('connect-failed', () => resolve());
    await promise;
  }

  /**
   * Logs a failed attempt. Attempts follow within seconds, so only the first one, and then one per interval, is a
   * warning.
   */
  #tellOfFailure(error: Error, logger: Logger): void {
    const isNews = Date.now() - this.#toldOfFailureAtMs >= TELL_EVERY_MS;
    if (isNews) this.#toldOfFailureAtMs = Date.now();
    logger[isNews ? 'warn' : 'debug']({ err: error }, 'could not connect to the broker');
  }

  #change(current: ChannelModel | undefined, blocked: boolean): void {
    this.#current = current;
    this.#blocked = blocked;
    this.#events.emit(CHANGE);
  }
}
