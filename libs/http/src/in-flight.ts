import type { RequestHandler } from 'express';
import type { RouteClass } from '@clew/contracts';
import { observeGauge, type MetricsRegistry } from '@clew/runtime';

/**
 * Counts the requests in hand by the class of their route, from their arrival on: a request that waits for a model uses
 * no processor time, and has no duration before its end.
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
