import { startService, type ServiceProcess, type ServiceProcessOptions } from '../support/service-process.ts';

/**
 * Starts the real datasets-svc. The Model Runtime address has no listener: no measured Dataset has a policy that needs
 * a model.
 */
export function startDatasets(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const env = { MODEL_RUNTIME_SVC_URL: 'http://127.0.0.1:9' };
  return startService({ app: 'datasets-svc', scopes: ['workspace:read', 'models:manage'], env }, options);
}
