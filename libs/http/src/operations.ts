import { Router } from 'express';
import type { HealthStatus } from '@clew/contracts';
import type { MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';

export interface OperationsOptions {
  info: ServiceInfo;
  readiness: Readiness;
  metrics: MetricsRegistry;
  /** The telemetry warehouse answers on `/health`, everyone else on `/healthz` (specification, Health). */
  healthPath?: '/healthz' | '/health';
  /** The background jobs worker answers plain text. */
  plainText?: boolean;
  /** Whether the process still does its work; where it does not, only a restart helps. */
  isAlive?: () => boolean;
}

/** Liveness, which checks nothing but this process. */
export function healthStatus(info: ServiceInfo): HealthStatus {
  return {
    status: 'ok',
    service: info.service,
    version: info.version,
    deploymentTarget: info.deploymentTarget,
    uptimeMs: Date.now() - info.startedAtMs,
  };
}

/** `/healthz` (or `/health`), `/readyz` and `/metrics`. */
export function operationsRouter(options: OperationsOptions): Router {
  const router = Router();
  router.get(options.healthPath ?? '/healthz', (_request, response) => {
    if (options.isAlive?.() === false) response.status(503).type('text/plain').send('healthz: stuck');
    else if (options.plainText === true) response.type('text/plain').send('healthz: ok');
    else response.json(healthStatus(options.info));
  });
  router.get('/readyz', async (_request, response) => {
    const report = await options.readiness.report();
    response.status(report.ready ? 200 : 503).json(report);
  });
  router.get('/metrics', async (_request, response) => {
    response.type(options.metrics.contentType).send(await options.metrics.metrics());
  });
  return router;
}
