import { createSharedBudget } from '@clew/kernel';

/**
 * Memory that one request holds. If there is no room, a setter throws and changes nothing: OVERLOADED if the budget is
 * used up, RATE_LIMITED if the project has more than its share.
 */
export interface RequestBytes {
  /**
   * Sets the memory for the body. Room to publish as much is reserved with it, so that received data can also be passed
   * on.
   */
  setBody(bytes: number): void;
  /** Sets the memory for messages on their way to the broker. */
  setMessages(bytes: number): void;
  release(): void;
}

/**
 * Memory that all requests together may hold. Beyond it callers are told to retry later, so the process does not grow.
 * Projects share it (`createSharedBudget`).
 */
export interface ByteBudget {
  open(projectId: string): RequestBytes;
  readonly usedBytes: number;
}

export interface ByteBudgetOptions {
  maxBytes: number;
  /** Bytes that the broker's client still holds although no request waits for them any more. */
  orphanedBytes(): number;
}

const RETRY_AFTER_MS = 1_000;
const KIB = 1024;
const MIB = 1024 * KIB;
/** Allowance for sockets, decompression and the message being written. */
const BYTES_OF_ANY_REQUEST = 64 * KIB;
/**
 * Copies of a message in memory: the client keeps it until it is confirmed, and copies it into frames that wait for the
 * socket.
 */
const COPIES_OF_A_MESSAGE = 2;
/**
 * Maximum room reserved for messages in advance: a request publishes while it reads its body, so more is not needed.
 */
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
