import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { z } from 'zod';
import { brokerDefinitions, databaseUsersScript, VHOST } from './access/access-files.ts';
import { NEEDS_OF_SERVERS, withRecipes } from './access/recipes.ts';
import { bakeFile } from './image/bake-file.ts';
import { workloadObjects, type KubernetesObject } from './manifests/base.ts';
import {
  componentOf,
  HPA_KUSTOMIZATION,
  monitoringKustomization,
  REQUEST_SCALING_KUSTOMIZATION,
  SERVERS_KUSTOMIZATION,
  TRACING_KUSTOMIZATION,
  TRACING_POLICY,
  WORKER_SCALING_KUSTOMIZATION,
} from './manifests/components.ts';
import { COMPOSE_NOTE, composeFile } from './manifests/compose.ts';
import { HTTP_ROUTE, INGRESS } from './manifests/entrances.ts';
import {
  GPU_NOTE,
  GPU_RUNTIME_CLASS_KUSTOMIZATION,
  GPU_RUNTIME_CLASS_NOTE,
  gpuKustomization,
} from './manifests/gpu.ts';
import { baseKustomization, namespaceObject } from './manifests/kustomizations.ts';
import { alertRules, monitoringObjects } from './manifests/monitoring.ts';
import { needsOf } from './manifests/needs.ts';
import { networkPolicies } from './manifests/network-policies.ts';
import { VERSION_LABEL } from './manifests/pod.ts';
import { PRIVATE_AUTHORITY_KUSTOMIZATION } from './manifests/private-authority.ts';
import { horizontalAutoscalers, queueScalers, requestScalers } from './manifests/scaling.ts';
import {
  MAIL_KUSTOMIZATION,
  MAIL_POLICIES,
  SIGN_IN_PROVIDERS_KUSTOMIZATION,
  SIGN_IN_PROVIDERS_POLICY,
} from './manifests/sign-in.ts';
import { commandLineObjects, migrationJobs, preflightObjects } from './manifests/steps.ts';
import { WORKLOADS } from './manifests/workloads.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { grafanaJson } from './monitoring/grafana.ts';

const ROOT = join(import.meta.dirname, '../../..');

const OVERLAY_NAMESPACES = ['dev', 'staging', 'production'] as const;

/** Address of the Prometheus that the scaling components query; an overlay may set another one. */
const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';

const NOTE = 'Generated from the tables of services, routes and queues: npm run generate.';

/**
 * Generated files of `deploy`, which follow from the tables of services, routes and messages: path to expected content.
 */
export async function generatedDeployFiles(): Promise<Map<string, string>> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const files = Object.entries({ ...baseFiles(version), ...componentFiles(version) }).map(
    ([path, documents]) => [`deploy/k8s/${path}`, yamlOf(documents, NOTE)] as const,
  );
  const others = [
    [gpuFile('gpu-agent'), yamlOf([gpuKustomization(version)], `${NOTE}\n${GPU_NOTE}`)],
    [gpuFile('gpu-runtime-class'), yamlOf([GPU_RUNTIME_CLASS_KUSTOMIZATION], `${NOTE}\n${GPU_RUNTIME_CLASS_NOTE}`)],
    ['deploy/docker/compose.yaml', yamlOf([composeFile()], `${NOTE}\n${COMPOSE_NOTE}`)],
    ...DASHBOARDS.map((each) => [dashboardFile(each.name), JSON.stringify(grafanaJson(each))] as const),
    ['deploy/docker/bake.json', JSON.stringify(bakeFile())],
    ['deploy/access/rabbitmq.json', JSON.stringify(brokerDefinitions())],
    ['deploy/access/mongodb-users.js', databaseUsersScript()],
    ['deploy/access/needs.json', JSON.stringify(needs())],
    // A kustomize component reads no files outside of its folder.
    ['deploy/k8s/components/servers/rights.json', JSON.stringify(brokerDefinitions())],
    ['deploy/k8s/components/servers/mongodb-users.js', databaseUsersScript()],
  ] as const;
  return new Map(await Promise.all([...files, ...others].map(formatted)));
}

type Documents = Readonly<Record<string, readonly object[]>>;

function baseFiles(version: string): Documents {
  return {
    'base/kustomization.yaml': [baseKustomization(version)],
    'base/preflight.yaml': preflightObjects(whatNeeds()),
    'base/migrations.yaml': migrationJobs(),
    'base/command-line.yaml': commandLineObjects(),
    ...Object.fromEntries(WORKLOADS.map((each) => [`base/apps/${each.name}.yaml`, workloadObjects(each)])),
    ...Object.fromEntries(
      OVERLAY_NAMESPACES.map((overlay) => [`namespaces/${overlay}.yaml`, [namespaceObject(`clew-${overlay}`)]]),
    ),
  };
}

function componentFiles(version: string): Documents {
  const files: Readonly<Record<string, Documents>> = {
    hpa: { kustomization: [HPA_KUSTOMIZATION], autoscalers: horizontalAutoscalers() },
    'worker-scaling': { kustomization: [WORKER_SCALING_KUSTOMIZATION], scalers: queueScalers(PROMETHEUS) },
    'request-scaling': { kustomization: [REQUEST_SCALING_KUSTOMIZATION], scalers: requestScalers(PROMETHEUS) },
    'network-policies': { kustomization: [componentOf('policies.yaml')], policies: networkPolicies() },
    monitoring: {
      kustomization: [monitoringKustomization(version)],
      monitoring: monitoringObjects(),
      alerts: [alertRules()],
    },
    tracing: { kustomization: [TRACING_KUSTOMIZATION], tracing: [TRACING_POLICY] },
    servers: { kustomization: [SERVERS_KUSTOMIZATION] },
    ingress: { kustomization: [componentOf('ingress.yaml')], ingress: [INGRESS] },
    'gateway-api': { kustomization: [componentOf('route.yaml')], route: [HTTP_ROUTE] },
    'private-authority': { kustomization: [PRIVATE_AUTHORITY_KUSTOMIZATION] },
    'sign-in-providers': { kustomization: [SIGN_IN_PROVIDERS_KUSTOMIZATION], egress: [SIGN_IN_PROVIDERS_POLICY] },
    mail: { kustomization: [MAIL_KUSTOMIZATION], egress: MAIL_POLICIES },
  };
  return Object.fromEntries(
    Object.entries(files).flatMap(([component, documents]) =>
      Object.entries(documents).map(([name, objects]) => [
        `components/${component}/${name}.yaml`,
        objects.map((object) => withVersion(object, version)),
      ]),
    ),
  );
}

/**
 * Adds the version label, which the base gets from its kustomization. Documents without labels are no Kubernetes
 * objects.
 */
function withVersion(object: { readonly metadata?: { readonly labels?: object } }, version: string): object {
  const { metadata } = object;
  if (metadata?.labels === undefined) return object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [VERSION_LABEL]: version } } };
}

/** Everything that refers to values that an installation makes. */
function whatNeeds(): KubernetesObject[] {
  return [...WORKLOADS.flatMap(workloadObjects), ...migrationJobs(), ...commandLineObjects()];
}

/** Values that `deploy/k8s/make-secrets.mjs` makes, each with its recipe. */
function needs() {
  return { vhost: VHOST, always: withRecipes(needsOf(whatNeeds())), ofServers: NEEDS_OF_SERVERS };
}

/**
 * Options that keep the YAML unambiguous: readers of YAML 1.1, such as kubectl, take an unquoted `off` for a boolean.
 */
const WRITTEN = { aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;

const gpuFile = (component: string) => `deploy/k8s/components/${component}/kustomization.yaml`;
const dashboardFile = (name: string) => `deploy/k8s/components/monitoring/dashboards/${name}.json`;

function yamlOf(documents: readonly object[], note: string): string {
  const lines = note.split('\n').map((line) => `# ${line}\n`);
  return `${lines.join('')}${documents.map((document) => stringify(document, WRITTEN)).join('---\n')}`;
}

async function formatted([path, text]: readonly [string, string]): Promise<readonly [string, string]> {
  const config = await resolveConfig(join(ROOT, path));
  return [path, await format(text, { ...config, filepath: path })];
}
