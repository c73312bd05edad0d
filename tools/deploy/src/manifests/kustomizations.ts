import { imageOf, labelsOf, SETTINGS_NAME, VERSION_LABEL } from './pod.ts';
import { inWave } from './waves.ts';
import { WORKLOADS } from './workloads.ts';

const KUSTOMIZATION = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' } as const;
export const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' } as const;

/** Settings that all processes share. */
export const SETTINGS = { LOG_LEVEL: 'info', DEPLOYMENT_TARGET: 'server' } as const;

const IMAGE_NAMES = [...WORKLOADS.map(({ name }) => name), 'cli'];

/** Base, whose images have the version of this checkout. Overlays set the namespace and the registry. */
export function baseKustomization(version: string): object {
  return {
    ...KUSTOMIZATION,
    resources: [
      ...['preflight.yaml', 'migrations.yaml', 'command-line.yaml'],
      ...WORKLOADS.map(({ name }) => `apps/${name}.yaml`),
    ],
    images: IMAGE_NAMES.map((name) => ({ name: imageOf(name), newTag: version })),
    configMapGenerator: [
      {
        name: SETTINGS_NAME,
        literals: Object.entries(SETTINGS).map(([variable, value]) => `${variable}=${value}`),
        options: {
          labels: labelsOf(SETTINGS_NAME, 'settings'),
          annotations: { ...inWave('ground'), ...OUTLIVES_ITS_PODS },
        },
      },
    ],
    labels: [{ pairs: { [VERSION_LABEL]: version }, fields: LABELS_OF_PODS }],
  };
}

/** Selectors and volume claims get no version label: the version changes, and they cannot. */
const LABELS_OF_PODS = ['spec/template/metadata/labels', 'spec/jobTemplate/spec/template/metadata/labels'].map(
  (path) => ({
    path,
  }),
);

/**
 * Annotations that keep old settings. Changed settings get a new name, but pods with the old ones may start once more.
 * To let Argo CD prune them last would add a wave after all others, which waits until the command line pod is healthy:
 * an Argo CD version that reports that pod as suspended would wait forever.
 */
const OUTLIVES_ITS_PODS = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/**
 * Namespace of an overlay: applied once by hand, and never deleted by a tool, because Secrets and volumes go with it.
 */
export function namespaceObject(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      // Nothing in it may do more than the restricted pod security standard allows.
      labels: Object.fromEntries(
        ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
      ),
      annotations: {
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
  };
}
