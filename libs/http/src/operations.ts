import { Router } from 'express';
import { methodNotAllowed } from '@clew/kernel';
import type { HealthStatus, ServiceDefinition } from '@clew/contracts';
import type { MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';

export interface OperationsOptions {
  info: ServiceInfo;
  readiness: Readiness;
  /** Absent if external callers may ask: then there is no `/metrics`. */
  metrics?: MetricsRegistry;
  /** `/healthz` in JSON if absent. */
  health?: ServiceDefinition['health'];
  /** Tells whether the process still does its work; if not, only a restart helps. */
  isAlive?: () => boolean;
}

/** Computes liveness, which checks nothing but this process. */
export function healthStatus(info: ServiceInfo, alive = true): HealthStatus {
  return {
    status: alive ? 'ok' : 'stuck',
    service: info.service,
    version: info.version,
    deploymentTarget: info.deploymentTarget,
    uptimeMs: Date.now() - info.startedAtMs,
  };
}

/** Serves `/healthz` (or `/health`) and `/readyz`; with metrics, `/metrics` as well. */
export function operationsRouter(options: OperationsOptions): Router {
  const router = Router();
  const { path, format } = options.health ?? { path: '/healthz', format: 'json' };
  router.get(path, (_request, response) => {
    const health = healthStatus(options.info, options.isAlive?.() !== false);
    response.status(health.status === 'ok' ? 200 : 503);
    if (format === 'text') response.type('text/plain').send(`healthz: ${health.status}`);
    else response.json(health);
  });
  router.get('/readyz', async (_request, response) => {
    const report = await options.readiness.report();
    response.status(report.ready ? 200 : 503).json(report);
  });
  const { metrics } = options;
  if (metrics !== undefined) {
    router.get('/metrics', async (_request, response) => {
      response.type(metrics.contentType).send(await metrics.metrics());
    });
  }
  router.all([path, '/readyz', ...(metrics === undefined ? [] : ['/metrics'])], () => {
    throw methodNotAllowed(['GET']);
  });
  return router;
}
