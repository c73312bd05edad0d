import { overloaded } from '@clew/kernel';

/** A part of the budget that one request holds. */
export interface Reservation {
  /** Takes more; throws OVERLOADED when the budget is used up. */
  grow(bytes: number): void;
  release(): void;
}

/** What all requests together may hold in memory: beyond it callers wait, and the process does not grow. */
export interface ByteBudget {
  open(): Reservation;
  readonly usedBytes: number;
}

const RETRY_AFTER_SECONDS = 1;

export function createByteBudget(maxBytes: number): ByteBudget {
  let usedBytes = 0;
  return {
    get usedBytes() {
      return usedBytes;
    },
    open() {
      let heldBytes = 0;
      return {
        grow(bytes) {
          if (usedBytes + bytes > maxBytes) throw overloaded('Too much data is under way', RETRY_AFTER_SECONDS);
          usedBytes += bytes;
          heldBytes += bytes;
        },
        release() {
          usedBytes -= heldBytes;
          heldBytes = 0;
        },
      };
    },
  };
}
