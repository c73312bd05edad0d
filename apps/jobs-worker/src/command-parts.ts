import { sha256Hex } from '@clew/kernel';
import type { MessageContext } from '@clew/messaging';

/** Fields of a command that messages about it carry on. */
interface Command {
  id: string;
  projectId: string;
  requestId: string | null;
}

type SuspectContext = Pick<MessageContext, 'attempt' | 'unansweredDeliveries' | 'logger'>;

interface PartsOptions<Of extends Command, Context> {
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
export function createPartsHandler<Of extends Command, Context extends SuspectContext>({
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

/** Envelope of a message about parts of a command: the same parts give the same id, so that it takes effect once. */
export function partsEnvelope<Spec extends { type: string; version: number }>(
  { id, projectId, requestId }: Command,
  { type, version }: Spec,
  parts: readonly string[],
  occurredAt: number,
) {
  return { id: `${type}:${sha256Hex([id, ...parts].join('\n'))}`, type, version, occurredAt, projectId, requestId };
}

/** Request id of a command, for the calls that it causes. */
export function requestIdOf({ requestId }: Pick<Command, 'requestId'>): { requestId?: string } {
  return requestId === null ? {} : { requestId };
}
