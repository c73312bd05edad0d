import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteClass } from '@clew/contracts';
import type { BodyWatch } from './body-watch.ts';
import { inviteBody, refuseLargeBody } from './request-body.ts';

export interface BodyLimits {
  bodyRates: BodyWatch;
  bodyDeadlines: BodyWatch;
  maxBodyBytes: Readonly<Record<RouteClass, number>>;
}

/** Refuses a body that is too large, and watches over the arrival of any other. */
export function acceptBody(
  { bodyRates, bodyDeadlines, maxBodyBytes }: BodyLimits,
  request: IncomingMessage,
  response: ServerResponse,
  routeClass: RouteClass,
): void {
  refuseLargeBody(request, maxBodyBytes[routeClass]);
  const isLong = routeClass === 'stream' || routeClass === 'audio';
  (isLong ? bodyRates : bodyDeadlines).watch(request, response);
  inviteBody(request, response);
}
