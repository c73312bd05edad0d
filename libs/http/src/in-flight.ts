import type { RequestHandler } from 'express';
import type { RouteClass } from '@clew/contracts';
import { observeGauge, type MetricsRegistry } from '@clew/runtime';

/**
 * Tells how many requests are in hand, by the class of their route, from the moment that they are there: what waits for a
 * model shows in no processor time, and in no duration before its end.
 */
export function inFlightCounter(metrics: MetricsRegistry): (routeClass: RouteClass) => RequestHandler {
  const inHand = new Map<RouteClass, number>();
  const add = (routeClass: RouteClass, amount: number) =>
    inHand.set(routeClass, (inHand.get(routeClass) ?? 0) + amount);
  observeGauge(metrics, 'clew_http_requests_in_flight', (set) => {
    for (const [routeClass, requests] of inHand) set(requests, { class: routeClass });
  });
  return (routeClass) => {
    add(routeClass, 0);
    return (_request, response, next) => {
      add(routeClass, 1);
      response.on('close', () => add(routeClass, -1));
      next();
    };
  };
}
