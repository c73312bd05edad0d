import type { KubernetesObject } from './base.ts';
import { labelsOf, PORT } from './pod.ts';

/** Host name for callers; an overlay sets its own. */
const HOST = 'clew.example.com';
const ENTRANCE = 'gateway' as const;
const metadata = { name: ENTRANCE, labels: labelsOf(ENTRANCE, 'network') };

/** Longer than any pause in a stream: the gateway has its own time limits, and reports them to callers. */
const QUIET_SECONDS = 3_600;

/**
 * Routes callers to the gateway through the Ingress controller of nginx. Bodies of up to 16 GiB and long streams pass
 * through it unbuffered, unlimited and uncut. Metrics are on a port that no Service has.
 */
export const INGRESS: KubernetesObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    ...metadata,
    annotations: Object.fromEntries(
      Object.entries({
        'proxy-body-size': '0',
        'proxy-request-buffering': 'off',
        'proxy-buffering': 'off',
        'proxy-http-version': '1.1',
        'proxy-read-timeout': String(QUIET_SECONDS),
        'proxy-send-timeout': String(QUIET_SECONDS),
        // The gateway decides which requests may be repeated.
        'proxy-next-upstream': 'off',
      }).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
    ),
  },
  spec: {
    ingressClassName: 'nginx',
    tls: [{ hosts: [HOST], secretName: 'clew-gateway-tls' }],
    rules: [
      {
        host: HOST,
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: ENTRANCE, port: { name: 'http' } } } }],
        },
      },
    ],
  },
};

/** Same route through the Gateway API: `0s` means no time limit, and implementations stream bodies by default. */
export const HTTP_ROUTE: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata,
  spec: {
    parentRefs: [{ name: 'external', namespace: 'gateway-system' }],
    hostnames: [HOST],
    rules: [
      {
        backendRefs: [{ name: ENTRANCE, port: PORT }],
        timeouts: { request: '0s', backendRequest: '0s' },
      },
    ],
  },
};
