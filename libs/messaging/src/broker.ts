import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { BrokerUnavailableError } from './errors.ts';
import type { QueueSpec } from './queues.ts';
import { declareQueue, declareTopology, RETRY_DELAYS_MS } from './topology.ts';

export interface BrokerOptions {
  url: string;
  /** Shown as the connection's name in the broker. */
  appName: string;
  logger: Logger;
  /** Queues that this process publishes to and answers for; declared on every connection, before anything is sent. */
  queues?: readonly QueueSpec[];
  /** Waits before the second, third, ... attempt at a message; the same for all processes on a broker. */
  retryDelaysMs?: readonly number[];
}

/** One connection that is made again whenever it is lost. */
export interface Broker {
  readonly retryDelaysMs: readonly number[];
  readonly logger: Logger;
  isConnected(): boolean;
  /** Whether the broker, short of memory or disk, takes no publishes at the moment. */
  isBlocked(): boolean;
  /** Resolves once connected; rejects with BrokerUnavailableError when the signal (`AbortSignal.timeout(ms)`) comes first. */
  whenConnected(signal: AbortSignal): Promise<void>;
  /** A confirm channel of the present connection; rejects with BrokerUnavailableError at once when there is none. */
  openChannel(): Promise<ConfirmChannel>;
  /** Calls back on every change of isConnected and isBlocked; returns the function that ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
const CLOSE_TIMEOUT_MS = 3_000;
const CHANGE = 'change';

/**
 * Begins to connect and resolves at once, also while the broker is away: a service that only publishes through its
 * outbox starts without it. The exchanges, the retry queues and `queues` exist whenever `isConnected()` is true.
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const retryDelaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const connection = await connect(withHeartbeat(options.url), {
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    keepAlive: true,
    clientProperties: { connection_name: options.appName },
    recovery: {
      waitForConnect: false,
      maxDelay: MAX_RECONNECT_DELAY_MS,
      setup: (model: ChannelModel) => declareAll(model, retryDelaysMs, options.queues ?? []),
    },
  });
  return createBroker(connection, retryDelaysMs, options.logger);
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
}

async function declareAll(
  model: ChannelModel,
  retryDelaysMs: readonly number[],
  queues: readonly QueueSpec[],
): Promise<void> {
  // Nobody listens to the model yet, and an error event without a listener would end the process.
  const ignoreUntilBound = () => undefined;
  model.on('error', ignoreUntilBound);
  const channel = await model.createChannel();
  channel.on('error', ignoreUntilBound);
  await declareTopology(channel, retryDelaysMs);
  for (const queue of queues) await declareQueue(channel, queue);
  await channel.close();
}

function createBroker(connection: RecoveringChannelModel, retryDelaysMs: readonly number[], logger: Logger): Broker {
  let current: ChannelModel | undefined;
  let blocked = false;
  const events = new EventEmitter().setMaxListeners(0);
  const change = (model: ChannelModel | undefined, isBlocked: boolean) => {
    current = model;
    blocked = isBlocked;
    events.emit(CHANGE);
  };
  connection.on('connect', (model) => {
    logger.info('broker connected');
    change(model, false);
  });
  connection.on('disconnect', (error) => {
    logger.warn({ err: error }, 'broker disconnected');
    change(undefined, false);
  });
  connection.on('blocked', (reason) => {
    logger.warn({ reason }, 'broker takes no publishes');
    change(current, true);
  });
  connection.on('unblocked', () => change(current, false));
  connection.on('error', (error) => logger.warn({ err: error }, 'broker connection error'));
  connection.on('connect-failed', (error: Error) => logger.warn({ err: error }, 'could not connect to the broker'));
  return {
    retryDelaysMs,
    logger,
    isConnected: () => current !== undefined,
    isBlocked: () => blocked,
    async whenConnected(signal) {
      while (current === undefined) {
        await once(events, CHANGE, { signal }).catch((error: unknown) => {
          throw new BrokerUnavailableError('The broker did not connect in time', { cause: error });
        });
      }
    },
    async openChannel() {
      if (current === undefined) throw new BrokerUnavailableError('The broker is not connected');
      return await current.createConfirmChannel();
    },
    onChange(listener) {
      events.on(CHANGE, listener);
      return () => events.off(CHANGE, listener);
    },
    async close() {
      change(undefined, false);
      // A peer that vanished never answers the closing handshake.
      await Promise.race([connection.close(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
