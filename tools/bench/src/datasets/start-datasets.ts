import { startService, type ServiceProcess, type ServiceProcessOptions } from '../support/service-process.ts';

/**
 * Starts the real datasets-svc. The other services have no listener at their addresses: no measured Dataset collects.
 */
export function startDatasets(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const others = ['MODEL_RUNTIME_SVC', 'TELEMETRY_WAREHOUSE', 'DIAGNOSTICS_SVC', 'KNOWLEDGE_SVC'];
  const env = Object.fromEntries(others.map((name) => [`${name}_URL`, 'http://127.0.0.1:9']));
  return startService({ app: 'datasets-svc', scopes: ['workspace:read', 'models:manage'], env }, options);
}
