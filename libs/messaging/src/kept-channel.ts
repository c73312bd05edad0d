import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmChannel } from 'amqplib';
import { backoffMs, type BackOff } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Connection } from './connection.ts';

export interface KeptChannelOptions {
  connection: Connection;
  logger: Logger;
  /** Prepares each new channel: declares, subscribes. A rejection closes it, and another one is tried. */
  prepare(channel: ConfirmChannel): Promise<void>;
  /** The channel is usable from now on. */
  opened?(channel: ConfirmChannel): void;
  /** The channel is gone; the broker has taken back what was not acknowledged on it. */
  lost?(): void;
}

/** A channel that is opened again after it, or the connection, was lost. */
export interface KeptChannel {
  current(): ConfirmChannel | undefined;
  /** Replaces a channel that does not answer, or that lost its subscription. */
  recycle(): void;
  close(): Promise<void>;
}

const BACK_OFF: BackOff = { firstMs: 50, maxMs: 5_000 };
const PREPARE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** Opens a channel as soon as the broker is connected, and keeps one open until `close()`. */
export function keepChannel(options: KeptChannelOptions): KeptChannel {
  const { connection, logger } = options;
  const stop = new AbortController();
  let recycled = new AbortController();
  let current: ConfirmChannel | undefined;
  let failures = 0;

  async function holdOneChannel(): Promise<void> {
    recycled = new AbortController();
    const preparing = AbortSignal.any([stop.signal, AbortSignal.timeout(PREPARE_TIMEOUT_MS)]);
    const channel = await unlessAborted(connection.openChannel(), preparing);
    const open = AbortSignal.any([stop.signal, recycled.signal]);
    // Rejects on an error event as well, and then the channel is just as gone.
    const ended = once(channel, 'close', { signal: open }).catch(() => undefined);
    channel.on('error', (error) => logger.warn({ err: error }, 'broker channel error'));
    try {
      await unlessAborted(options.prepare(channel), preparing);
      failures = 0;
      current = channel;
      options.opened?.(channel);
      await ended;
    } finally {
      current = undefined;
      options.lost?.();
      await closeChannel(channel);
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await connection.whenConnected(stop.signal);
        await holdOneChannel();
      } catch (error) {
        if (stop.signal.aborted) return;
        failures += 1;
        if (connection.isConnected()) logger.warn({ err: error }, 'could not open a broker channel');
        await sleep(backoffMs(failures, BACK_OFF), undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  const finished = run();
  return {
    current: () => current,
    recycle: () => recycled.abort(),
    async close() {
      stop.abort();
      await finished;
    },
  };
}

/** Closes a channel, which gives back what was not acknowledged; a channel that is closed already is left alone. */
export async function closeChannel(channel: ConfirmChannel): Promise<void> {
  const closed = channel.close().catch(() => undefined);
  await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

/** What the broker answers, or a rejection when the signal comes first: a broker that hangs answers nothing. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    // Nobody is left to hear of it.
    answer.catch(() => undefined);
  }
}
