import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** Members of an object that policies check; all others are kept. */
export const RenderedObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.looseObject({}).optional(),
});
export type RenderedObject = z.infer<typeof RenderedObject>;

const Probe = z.looseObject({
  httpGet: z.object({ path: z.string(), port: z.union([z.string(), z.number()]) }).optional(),
});
const Resources = z.object({ cpu: z.string().optional(), memory: z.string().optional() });

export const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .object({
            secretKeyRef: z.object({ name: z.string(), key: z.string() }),
            fieldRef: z.object({ fieldPath: z.string() }),
          })
          .partial()
          .optional(),
      }),
    )
    .optional(),
  envFrom: z.array(z.looseObject({ configMapRef: z.object({ name: z.string() }).optional() })).optional(),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).optional(),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  resources: z.object({ requests: Resources, limits: Resources }).partial().optional(),
  securityContext: z
    .looseObject({
      allowPrivilegeEscalation: z.boolean().optional(),
      readOnlyRootFilesystem: z.boolean().optional(),
      runAsNonRoot: z.boolean().optional(),
      privileged: z.boolean().optional(),
      capabilities: z.object({ drop: z.array(z.string()), add: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
  volumeMounts: z
    .array(z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }))
    .optional(),
});
export type Container = z.infer<typeof Container>;

export const PodSpec = z.looseObject({
  automountServiceAccountToken: z.boolean().optional(),
  serviceAccountName: z.string().optional(),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  hostIPC: z.boolean().optional(),
  securityContext: z
    .looseObject({
      runAsNonRoot: z.boolean().optional(),
      runAsUser: z.number().optional(),
      fsGroup: z.number().optional(),
      seccompProfile: z.object({ type: z.string() }).optional(),
    })
    .optional(),
  topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string() })).optional(),
  containers: z.array(Container),
  initContainers: z.array(Container).optional(),
  volumes: z.array(z.looseObject({ name: z.string(), hostPath: z.unknown().optional() })).optional(),
});
export type PodSpec = z.infer<typeof PodSpec>;

/** Object that runs pods. */
export interface RenderedWorkload {
  readonly object: RenderedObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
}

const Templated = z.object({
  template: z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }), spec: PodSpec }),
});
const Scheduled = z
  .object({ jobTemplate: z.object({ spec: Templated }) })
  .transform(({ jobTemplate }) => jobTemplate.spec);
const RunsPods = z.union([Templated, Scheduled]);

/** Objects of a rendered overlay. */
export function parseObjects(text: string): RenderedObject[] {
  return parseAllDocuments(text).map((document) => RenderedObject.parse(document.toJS()));
}

export function workloadsOf(objects: readonly RenderedObject[]): RenderedWorkload[] {
  return objects
    .filter(({ spec }) => spec?.['template'] !== undefined || spec?.['jobTemplate'] !== undefined)
    .map((object) => {
      const { template } = RunsPods.parse(object.spec);
      return { object, labels: template.metadata.labels, pod: template.spec };
    });
}

/** Whether a workload serves until it is stopped, instead of ending by itself. */
export function isLasting({ object }: RenderedWorkload): boolean {
  return object.kind !== 'Job' && object.kind !== 'CronJob';
}
