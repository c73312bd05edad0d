import { mongo } from 'mongoose';

const AUTHENTICATION_FAILED = 18;
/** Codes of a server that is no longer primary, or shuts down: a new primary is about to be elected. */
const NOT_SERVING: ReadonlySet<unknown> = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);

const AWAY = [
  mongo.MongoServerSelectionError,
  mongo.MongoNetworkError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
] as const;

/**
 * Tells whether an operation failed because its database is away, not because of the request; a later retry may
 * succeed.
 */
export function isOutage(error: unknown): boolean {
  if (AWAY.some((kind) => error instanceof kind)) return true;
  return error instanceof mongo.MongoServerError && (NOT_SERVING.has(error.code) || isRefusal(error));
}

/** Describes the reason of an outage without any address or user name, so that anybody may read it. */
export function reasonOfOutage(error: unknown): string {
  return isRefusal(error) ? 'it refuses the user or the password' : 'no primary can be reached';
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof mongo.MongoServerError && error.code === AUTHENTICATION_FAILED) return true;
  return isRefusal(error.cause);
}
