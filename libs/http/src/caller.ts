import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from '@clew/runtime';
import type { Principal } from '@clew/contracts';
import type { IdempotentAttempt } from '@clew/kernel';

/** Identity of the caller, with the project that the call is about, if any. */
export interface Caller {
  principal: Principal;
  /** Project for which the gateway has checked the caller. */
  projectId?: string;
}

/** Identifies the caller; throws UNAUTHENTICATED for a wrong credential, returns undefined without any. */
export type Authenticate = (request: IncomingMessage) => Promise<Caller | undefined> | Caller | undefined;

/** Context of a handler, in addition to its parsed input. */
export interface RequestContext {
  requestId: string;
  /** Absent only on public routes. */
  caller: Caller | undefined;
  logger: Logger;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /**
   * Attempt of a request with an `Idempotency-Key`: records the reply for a repeat, in the transaction of the effect.
   */
  attempt: IdempotentAttempt | undefined;
  request: Request;
  response: Response;
}
