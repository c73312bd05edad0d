import type { Pod, PodContainer, Values, VolumeSource } from './objects.ts';

/** Secrets, ConfigMaps and bound claims in the namespace of a pod. */
export interface Surroundings {
  readonly values: readonly Values[];
  readonly boundClaims: ReadonlySet<string>;
}

type Kind = 'Secret' | 'ConfigMap';

/** Value of a key; undefined if the key or its object does not exist. */
export function valueOf({ values }: Surroundings, kind: Kind, name: string, key: string): string | undefined {
  const value = values.find((each) => each.kind === kind && each.metadata.name === name)?.data?.[key];
  return value === undefined || kind === 'ConfigMap' ? value : Buffer.from(value, 'base64').toString();
}

const has = ({ values }: Surroundings, kind: Kind, name: string) =>
  values.some((each) => each.kind === kind && each.metadata.name === name);

/** Missing objects that keep the volumes of a pod from being mounted; until then, the pod has no container. */
export function missingVolumes({ spec: { volumes = [] } }: Pod, around: Surroundings): string[] {
  return volumes.flatMap((volume) => {
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined) return around.boundClaims.has(claim) ? [] : [`the claim ${claim}`];
    return (volume.projected?.sources ?? [volume]).flatMap((source) => missingFiles(source, around));
  });
}

function missingFiles({ secret, configMap }: VolumeSource, around: Surroundings): string[] {
  const files = secret ?? configMap;
  if (files === undefined || files.optional === true) return [];
  const kind = secret === undefined ? 'ConfigMap' : 'Secret';
  const name = files.name ?? files.secretName ?? '';
  if (!has(around, kind, name)) return [`${kind} ${name}`];
  const keys = (files.items ?? []).filter(({ key }) => valueOf(around, kind, name, key) === undefined);
  return keys.map(({ key }) => `${kind} ${name}/${key}`);
}

/** Missing values that keep a container from being created; the kubelet reports CreateContainerConfigError. */
export function missingVariables({ env = [], envFrom = [] }: PodContainer, around: Surroundings): string[] {
  const keys = env.flatMap(({ valueFrom }) => {
    const ref = valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef;
    if (ref === undefined || ref.optional === true) return [];
    const kind = valueFrom?.secretKeyRef === undefined ? 'ConfigMap' : 'Secret';
    return valueOf(around, kind, ref.name, ref.key) === undefined ? [`${kind} ${ref.name}/${ref.key}`] : [];
  });
  const whole = envFrom.flatMap(({ secretRef, configMapRef }) => {
    const ref = secretRef ?? configMapRef;
    const kind = secretRef === undefined ? 'ConfigMap' : 'Secret';
    return ref === undefined || ref.optional === true || has(around, kind, ref.name) ? [] : [`${kind} ${ref.name}`];
  });
  return [...keys, ...whole];
}
