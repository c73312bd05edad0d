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
  /** Called when the channel becomes usable. */
  opened?(channel: ConfirmChannel): void;
  /** Called when the channel is gone; the broker has taken back the messages that were not acknowledged on it. */
  lost?(): void;
}

/** Channel that is reopened after it, or the connection, was lost. */
export interface KeptChannel {
  current(): ConfirmChannel | undefined;
  /** Replaces a channel that does not answer, or that lost its subscription. */
  recycle(): void;
  close(): Promise<void>;
}

const BACK_OFF: BackOff = { firstMs: 50, maxMs: 5_000 };
const PREPARE_TIMEOUT_MS = 30_000;

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
    // An error event rejects as well, and the channel is then equally gone.
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
      await closeChannel(channel, connection.answerTimeoutMs);
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

/** Closes a channel, which gives back the unacknowledged messages; a channel that is closed already is left alone. */
export async function closeChannel(channel: ConfirmChannel, timeoutMs: number): Promise<void> {
  const closed = channel.close().catch(() => undefined);
  await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })]);
}

/** Returns the broker's answer, or rejects if the signal comes first: a broker that hangs never answers. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    // A later rejection concerns nobody any more.
    answer.catch(() => undefined);
  }
}
