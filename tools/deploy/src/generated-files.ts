import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { z } from 'zod';
import { brokerDefinitions, databaseUsersScript } from './access/access-files.ts';
import { bakeFile } from './image/bake-file.ts';
import { migrationJobs, workloadObjects } from './manifests/base.ts';
import { COMPOSE_NOTE, composeFile } from './manifests/compose.ts';
import {
  baseKustomization,
  HPA_KUSTOMIZATION,
  MONITORING_KUSTOMIZATION,
  NAMESPACE,
  POLICIES_KUSTOMIZATION,
  SETTINGS,
  TRACING_KUSTOMIZATION,
  TRACING_POLICY,
  WORKER_SCALING_KUSTOMIZATION,
} from './manifests/kustomizations.ts';
import { alertRules, monitoringObjects } from './manifests/monitoring.ts';
import { networkPolicies } from './manifests/network-policies.ts';
import {
  GPU_NOTE,
  GPU_RUNTIME_CLASS_KUSTOMIZATION,
  GPU_RUNTIME_CLASS_NOTE,
  gpuKustomization,
} from './manifests/runtime-agent.ts';
import { horizontalAutoscalers, queueScalers } from './manifests/scaling.ts';
import { WORKLOADS } from './manifests/workloads.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { grafanaJson } from './monitoring/grafana.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Where the component that scales by queues looks for Prometheus; an overlay may say another address. */
const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';

const NOTE = 'Generated from the tables of services, routes and queues: npm run generate.';

/** What of `deploy` follows from the tables of services, routes and messages, by its path, with what it should hold. */
export async function generatedDeployFiles(): Promise<Map<string, string>> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const base = 'deploy/k8s/base';
  const components = 'deploy/k8s/components';
  const objects: Record<string, readonly object[]> = {
    [`${base}/kustomization.yaml`]: [baseKustomization(version)],
    [`${base}/namespace.yaml`]: [NAMESPACE],
    [`${base}/settings.yaml`]: [SETTINGS],
    [`${base}/migrations.yaml`]: migrationJobs(version),
    ...Object.fromEntries(WORKLOADS.map((each) => [`${base}/apps/${each.name}.yaml`, workloadObjects(each)])),
    [`${components}/hpa/kustomization.yaml`]: [HPA_KUSTOMIZATION],
    [`${components}/hpa/autoscalers.yaml`]: horizontalAutoscalers(),
    [`${components}/worker-scaling/kustomization.yaml`]: [WORKER_SCALING_KUSTOMIZATION],
    [`${components}/worker-scaling/scalers.yaml`]: queueScalers(PROMETHEUS),
    [`${components}/network-policies/kustomization.yaml`]: [POLICIES_KUSTOMIZATION],
    [`${components}/network-policies/policies.yaml`]: networkPolicies(),
    [`${components}/monitoring/kustomization.yaml`]: [MONITORING_KUSTOMIZATION],
    [`${components}/monitoring/monitoring.yaml`]: monitoringObjects(),
    [`${components}/monitoring/alerts.yaml`]: [alertRules()],
    [`${components}/tracing/kustomization.yaml`]: [TRACING_KUSTOMIZATION],
    [`${components}/tracing/tracing.yaml`]: [TRACING_POLICY],
  };
  const files = Object.entries(objects).map(([path, documents]) => [path, yamlOf(documents, NOTE)] as const);
  const others = [
    [gpuFile('gpu-agent'), yamlOf([gpuKustomization(version)], `${NOTE}\n${GPU_NOTE}`)],
    [gpuFile('gpu-runtime-class'), yamlOf([GPU_RUNTIME_CLASS_KUSTOMIZATION], `${NOTE}\n${GPU_RUNTIME_CLASS_NOTE}`)],
    ['deploy/docker/compose.yaml', yamlOf([composeFile()], `${NOTE}\n${COMPOSE_NOTE}`)],
    ...DASHBOARDS.map((each) => [dashboardFile(each.name), JSON.stringify(grafanaJson(each))] as const),
    ['deploy/docker/bake.json', JSON.stringify(bakeFile())],
    ['deploy/access/rabbitmq.json', JSON.stringify(brokerDefinitions())],
    ['deploy/access/mongodb-users.js', databaseUsersScript()],
  ] as const;
  return new Map(await Promise.all([...files, ...others].map(formatted)));
}

const gpuFile = (component: string) => `deploy/k8s/components/${component}/kustomization.yaml`;
const dashboardFile = (name: string) => `deploy/k8s/components/monitoring/dashboards/${name}.json`;

function yamlOf(documents: readonly object[], note: string): string {
  const lines = note.split('\n').map((line) => `# ${line}\n`);
  return `${lines.join('')}${documents.map((document) => stringify(document, { aliasDuplicateObjects: false })).join('---\n')}`;
}

async function formatted([path, text]: readonly [string, string]): Promise<readonly [string, string]> {
  const config = await resolveConfig(join(ROOT, path));
  return [path, await format(text, { ...config, filepath: path })];
}
