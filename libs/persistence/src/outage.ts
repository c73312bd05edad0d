import { mongo } from 'mongoose';

const AUTHENTICATION_FAILED = 18;
/** Codes of a server that is no primary any more, or ends: the next one is about to be chosen. */
const NOT_SERVING: ReadonlySet<unknown> = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);

const AWAY = [
  mongo.MongoServerSelectionError,
  mongo.MongoNetworkError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
] as const;

/** Whether an operation failed since its database is away, not for what was asked of it: later it may succeed. */
export function isOutage(error: unknown): boolean {
  if (AWAY.some((kind) => error instanceof kind)) return true;
  return error instanceof mongo.MongoServerError && (NOT_SERVING.has(error.code) || isRefusal(error));
}

/** The reason of an outage in words that name neither an address nor a user, so that anybody may read them. */
export function reasonOfOutage(error: unknown): string {
  return isRefusal(error) ? 'it refuses the user or the password' : 'no primary can be reached';
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof mongo.MongoServerError && error.code === AUTHENTICATION_FAILED) return true;
  return isRefusal(error.cause);
}
