import { imageOf, labelsOf, SETTINGS_NAME, VERSION_LABEL } from './pod.ts';
import { inWave } from './waves.ts';
import { WORKLOADS } from './workloads.ts';

const KUSTOMIZATION = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' } as const;
export const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' } as const;

/** Settings that all processes read alike. */
export const SETTINGS = { LOG_LEVEL: 'info', DEPLOYMENT_TARGET: 'server' } as const;

const IMAGE_NAMES = [...WORKLOADS.map(({ name }) => name), 'cli'];

/** The base; its images have the version of this checkout. Where it runs, and from which registry, overlays say. */
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

/** Neither selectors nor claims of volumes are among them: those cannot change, and the version does. */
const LABELS_OF_PODS = ['spec/template/metadata/labels', 'spec/jobTemplate/spec/template/metadata/labels'].map(
  (path) => ({
    path,
  }),
);

/**
 * Settings of another content have another name; pods that run with the former ones may start once more. To have Argo CD
 * prune them last would be a wave after all others, which waits for the health of the pod of the command line: a version
 * that calls it suspended would wait for ever.
 */
const OUTLIVES_ITS_PODS = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/** The namespace of an overlay: applied once, by hand, and taken away by no tool, since Secrets and volumes go with it. */
export function namespaceObject(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      // Nothing in it may do more than the restricted standard allows.
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
