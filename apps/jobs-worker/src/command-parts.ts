import type { MessageContext } from '@clew/messaging';

type SuspectContext = Pick<MessageContext, 'attempt' | 'unansweredDeliveries' | 'logger'>;

interface PartsOptions<Of, Context> {
  sizeOf(command: Of): number;
  /** Publishes a command for each part. */
  split(command: Of): Promise<void>;
  work(command: Of, context: Context): Promise<void>;
}

/** Failed attempts after which a command is split, so that the part at fault fails alone. */
const ATTEMPTS_TOGETHER = 2;

/**
 * Creates the handler of a command of several parts. One part that ends the process, or that cannot be worked on, must
 * not take the others of its command into the dead letters. So a command that ended a process, or failed repeatedly, is
 * split into one command for each part.
 */
export function createPartsHandler<Of, Context extends SuspectContext>({
  sizeOf,
  split,
  work,
}: PartsOptions<Of, Context>) {
  return async (command: Of, context: Context): Promise<void> => {
    const { attempt, unansweredDeliveries, logger } = context;
    const size = sizeOf(command);
    const isSuspect = unansweredDeliveries > 0 || attempt > ATTEMPTS_TOGETHER;
    if (!isSuspect || size === 1) return await work(command, context);
    logger.warn({ attempt, unansweredDeliveries, size }, 'splitting a command');
    await split(command);
  };
}
