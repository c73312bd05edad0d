import { COMPONENT } from './kustomizations.ts';
import { AGENT, ENGINES } from './runtime-agent.ts';
import { CLI_NAME, preflightOf } from './steps.ts';
import { WORKLOADS, MIGRATED } from './workloads.ts';

/** The ConfigMap with the certificates of an organisation, which whoever installs makes. */
const AUTHORITY = 'clew-private-authority';
const CERTIFICATES = 'ca.crt';
const FOLDER = '/authority';

/** Every container that connects to something: to servers, to providers, to a collector. */
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

/** Trusts the certificates of a private authority beside those that Node brings. */
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
    // pip runs beside engines, and is told by the agent which file it is to trust.
    { target: AGENT, patch: JSON.stringify([{ op: 'add', path: `${ENGINES}/volumeMounts/-`, value: MOUNT }]) },
    // Pods that mount what is not there wait for it in silence.
    preflightOf([{ kind: 'ConfigMap', name: AUTHORITY, key: CERTIFICATES }]),
  ],
};
