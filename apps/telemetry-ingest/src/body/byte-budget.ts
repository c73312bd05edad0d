import { createSharedBudget } from '@clew/kernel';

/**
 * Memory that one request holds. A setter throws, and changes nothing, where there is no room: OVERLOADED where the
 * budget is used up, RATE_LIMITED where the project has more than its share of it.
 */
export interface RequestBytes {
  /** Of its body. Room to publish as much is kept with it, so that what was received can also be passed on. */
  setBody(bytes: number): void;
  /** Of the messages that are on their way to the broker. */
  setMessages(bytes: number): void;
  release(): void;
}

/**
 * Memory that all requests together may hold: beyond it callers come back later, and the process does not grow.
 * Projects share it (`createSharedBudget`).
 */
export interface ByteBudget {
  open(projectId: string): RequestBytes;
  readonly usedBytes: number;
}

export interface ByteBudgetOptions {
  maxBytes: number;
  /** What the client of the broker still holds though no request waits for it any more. */
  orphanedBytes(): number;
}

const RETRY_AFTER_MS = 1_000;
const KIB = 1024;
const MIB = 1024 * KIB;
/** Sockets, decompression and a message that is being written. */
const BYTES_OF_ANY_REQUEST = 64 * KIB;
/** The client keeps a message until it is confirmed, and copies it into frames that wait for the socket. */
const COPIES_OF_A_MESSAGE = 2;
/** More than this is not kept for messages beforehand: a request publishes while it reads its body. */
const MAX_KEPT_FOR_MESSAGES_BYTES = 3 * MIB;

export function createByteBudget({ maxBytes, orphanedBytes }: ByteBudgetOptions): ByteBudget {
  const budget = createSharedBudget({
    maxUnits: maxBytes,
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too much data under way',
    wholeMessage: 'Too much data is under way',
    otherUnits: () => COPIES_OF_A_MESSAGE * orphanedBytes(),
  });
  return {
    get usedBytes() {
      return budget.usedUnits;
    },
    open(projectId) {
      const holding = budget.open(projectId);
      let bodyBytes = 0;
      let messageBytes = 0;
      holding.hold(neededBytes(0, 0));
      return {
        setBody(bytes) {
          holding.hold(neededBytes(bytes, messageBytes));
          bodyBytes = bytes;
        },
        setMessages(bytes) {
          holding.hold(neededBytes(bodyBytes, bytes));
          messageBytes = bytes;
        },
        release: holding.release,
      };
    },
  };
}

function neededBytes(bodyBytes: number, messageBytes: number): number {
  const keptForMessages = Math.min(COPIES_OF_A_MESSAGE * bodyBytes, MAX_KEPT_FOR_MESSAGES_BYTES);
  return BYTES_OF_ANY_REQUEST + bodyBytes + Math.max(keptForMessages, COPIES_OF_A_MESSAGE * messageBytes);
}
