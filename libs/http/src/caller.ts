import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from '@clew/runtime';
import type { Principal } from '@clew/contracts';
import type { IdempotentAttempt } from '@clew/kernel';

/** Who calls, and for which project where the call is about one. */
export interface Caller {
  principal: Principal;
  /** The project that the gateway has checked the caller for. */
  projectId?: string;
}

/** Finds out who calls; throws UNAUTHENTICATED for a wrong credential, undefined where there is none. */
export type Authenticate = (request: IncomingMessage) => Promise<Caller | undefined> | Caller | undefined;

/** What a handler gets beside its parsed input. */
export interface RequestContext {
  requestId: string;
  /** Absent only on public routes. */
  caller: Caller | undefined;
  logger: Logger;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** Where the request named an `Idempotency-Key`: keeps the answer for a repeat, in the transaction of the effect. */
  attempt: IdempotentAttempt | undefined;
  request: Request;
  response: Response;
}
