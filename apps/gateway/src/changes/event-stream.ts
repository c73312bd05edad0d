import type { ServerResponse } from 'node:http';
import { HEARTBEAT, openingOf, readyEvent } from './change-events.ts';

/** Answer that stays open for events. One that is not read holds at most what is under way, and then ends. */
export interface EventStream {
  open(retryMs: number, nowMs: number): void;
  write(bytes: Buffer, nowMs: number): void;
  /** Tells the listener to read everything again. */
  renew(): void;
  /** Does what is due once a second. */
  tick(nowMs: number): void;
  /** Whether the listener reads too slowly at the moment. */
  isBehind(): boolean;
  close(): void;
}

/** Silence after which a comment is sent: below the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
/** Time for which a listener may leave everything unread. */
const MAX_BEHIND_MS = 30_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  // A proxy that compresses or buffers would hold events back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

export function createEventStream(response: ServerResponse): EventStream {
  let writtenAtMs = 0;
  let behindSinceMs: number | null = null;
  let isRenewalDue = false;

  return {
    open(retryMs, nowMs) {
      response.writeHead(200, HEADERS);
      response.write(openingOf(retryMs, nowMs));
      writtenAtMs = nowMs;
    },
    write(bytes, nowMs) {
      // Events that cannot be sent are not kept: once the listener has caught up, it is told to read everything again.
      if (response.writableNeedDrain) isRenewalDue = true;
      else {
        response.write(bytes);
        writtenAtMs = nowMs;
      }
    },
    renew: () => void (isRenewalDue = true),
    tick(nowMs) {
      if (response.writableNeedDrain) {
        behindSinceMs ??= nowMs;
        if (nowMs - behindSinceMs >= MAX_BEHIND_MS) response.destroy();
        return;
      }
      behindSinceMs = null;
      if (!isRenewalDue && nowMs - writtenAtMs < HEARTBEAT_MS) return;
      response.write(isRenewalDue ? readyEvent(nowMs) : HEARTBEAT);
      isRenewalDue = false;
      writtenAtMs = nowMs;
    },
    isBehind: () => response.writableNeedDrain,
    close() {
      if (response.writableNeedDrain) response.destroy();
      else response.end();
    },
  };
}
