import type { KubernetesObject } from './base.ts';
import { COMPONENT } from './kustomizations.ts';
import { labelsOf, secretVariable, selectorOf } from './pod.ts';
import { preflightOf } from './steps.ts';
import { inWave } from './waves.ts';

const GATEWAY = 'gateway';
/** Apps that send letters: links for people, and what webhooks tell. */
const MAILING = [GATEWAY, 'diagnostics-svc'];

/** ConfigMap and Secret with the sign-in providers, which the operator creates. */
const PROVIDERS = 'clew-sign-in';
const PROVIDERS_FILE = 'providers.json';
const FOLDER = '/sign-in';

/** Secret with the address of the mail server, which the operator creates. */
const MAIL = 'clew-mail';

/** Ports of mail servers: for letters (587, and 465 with TLS from the start), between servers, and the usual other one. */
const MAIL_PORTS = [587, 465, 25, 2_525];

/** All addresses but those of a machine itself; an overlay may narrow them to those of the provider or the mail server. */
const ANYWHERE = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
    { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
  ],
};

/** Adds to the container and the pod of an app. */
function podPatch(name: string, container: object, pod: object = {}) {
  const spec = { containers: [{ name, ...container }], ...pod };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } };
  const target = { kind: 'Deployment', name } as const;
  return { target, patch: JSON.stringify({ ...deployment, spec: { template: { spec } } }) };
}

/**
 * Sign-in providers: their file from a ConfigMap, and the secrets of their clients from a Secret, in one folder, so that
 * the file names a secret by its key.
 */
export const SIGN_IN_PROVIDERS_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['egress.yaml'],
  patches: [
    podPatch(
      GATEWAY,
      {
        env: [{ name: 'OIDC_PROVIDERS_FILE', value: `${FOLDER}/${PROVIDERS_FILE}` }],
        volumeMounts: [{ name: 'sign-in', mountPath: FOLDER, readOnly: true }],
      },
      {
        volumes: [
          {
            name: 'sign-in',
            // Public clients have no secret.
            projected: {
              sources: [{ configMap: { name: PROVIDERS } }, { secret: { name: PROVIDERS, optional: true } }],
            },
          },
        ],
      },
    ),
    // A pod that mounts a missing ConfigMap waits silently, so the preflight checks for it.
    preflightOf([{ kind: 'ConfigMap', name: PROVIDERS, key: PROVIDERS_FILE }]),
  ],
};

/** Mail: the address of the server, with its password, from a Secret. */
export const MAIL_KUSTOMIZATION = {
  ...COMPONENT,
  resources: ['egress.yaml'],
  patches: [
    ...MAILING.map((name) => podPatch(name, { env: [secretVariable('SMTP_URL', MAIL)] })),
    preflightOf([{ kind: 'Secret', name: MAIL, key: 'SMTP_URL' }]),
  ],
};

export const SIGN_IN_PROVIDERS_POLICY = egressOf(GATEWAY, 'sign-in-providers', [443]);
export const MAIL_POLICIES = MAILING.map((app) => egressOf(app, 'mail', MAIL_PORTS));

/** Lets an app reach these ports. */
function egressOf(app: string, purpose: string, ports: readonly number[]): KubernetesObject {
  const name = `${app}-${purpose}`;
  const egress = [{ ...ANYWHERE, ports: ports.map((port) => ({ protocol: 'TCP', port })) }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name, 'network'), annotations: inWave('ground') },
    spec: { podSelector: { matchLabels: selectorOf(app) }, policyTypes: ['Egress'], egress },
  };
}
