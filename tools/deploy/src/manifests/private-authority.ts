import { COMPONENT } from './kustomizations.ts';
import { AGENT, ENGINES } from './runtime-agent.ts';
import { CLI_NAME, preflightOf } from './steps.ts';
import { WORKLOADS, MIGRATED } from './workloads.ts';

/** ConfigMap with the certificates of an organization, which the operator creates. */
const AUTHORITY = 'clew-private-authority';
const CERTIFICATES = 'ca.crt';
const FOLDER = '/authority';

/** Every container that opens connections: to servers, to providers, to a collector. */
const CONTAINERS = [
  ...WORKLOADS.map(({ name, volume }) => ({
    kind: volume === undefined ? 'Deployment' : 'StatefulSet',
    name,
    container: name,
  })),
  ...MIGRATED.map((name) => ({ kind: 'Job', name: `migrate-${name}`, container: 'migrate' })),
  { kind: 'CronJob', name: CLI_NAME, container: 'cli' },
];

const MOUNT = { name: 'authority', mountPath: FOLDER, readOnly: true } as const;

/** Trusts the certificates of a private authority in addition to those that Node includes. */
export const PRIVATE_AUTHORITY_KUSTOMIZATION = {
  ...COMPONENT,
  patches: [
    ...CONTAINERS.map(({ kind, name, container }) => {
      const spec = {
        containers: [
          {
            name: container,
            env: [{ name: 'NODE_EXTRA_CA_CERTS', value: `${FOLDER}/${CERTIFICATES}` }],
            volumeMounts: [MOUNT],
          },
        ],
        volumes: [{ name: 'authority', configMap: { name: AUTHORITY } }],
      };
      const pods = { template: { spec } };
      return {
        target: { kind, name },
        patch: JSON.stringify({
          ...{ apiVersion: 'any', kind, metadata: { name } },
          spec: kind === 'CronJob' ? { jobTemplate: { spec: pods } } : pods,
        }),
      };
    }),
    // pip runs in the engines' container, and the agent tells it which certificate file to trust.
    { target: AGENT, patch: JSON.stringify([{ op: 'add', path: `${ENGINES}/volumeMounts/-`, value: MOUNT }]) },
    // A pod that mounts a missing ConfigMap waits silently, so the preflight checks for it.
    preflightOf([{ kind: 'ConfigMap', name: AUTHORITY, key: CERTIFICATES }]),
  ],
};
