import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceDefinition, ServiceName } from '@clew/contracts/services';
import { PUBLIC_KEYS_NAME } from '../manifests/pod.ts';
import {
  isLasting,
  workloadsOf,
  type Container,
  type RenderedObject,
  type RenderedWorkload,
} from '../policy/objects.ts';
import type { ConfinedServers } from './confined-servers.ts';
import { CONTAINER_USER, runContainer, type RunningContainer } from './container.ts';

export interface ClusterOptions {
  readonly objects: readonly RenderedObject[];
  readonly servers: ConfinedServers;
  /** Folder of an image, by its name without registry and version. */
  readonly imageOf: (name: string) => string;
  /** Folder in which volumes of pods are created. */
  readonly volumesFolder: string;
  readonly nodeFolder: string;
  /** First three numbers of the loopback addresses that belong to this cluster: 127.x.y. */
  readonly network: string;
}

export interface Pod extends RunningContainer {
  readonly address: string;
  readonly container: Container;
}

/** Runs the workloads as processes of this machine: each pod has its own address, and listens on the port it names. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #workloads: readonly RenderedWorkload[];
  readonly #pods = new Set<Pod>();

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#workloads = workloadsOf(options.objects);
  }

  /** Starts a workload, optionally with another command for its first container; returns the pod of that container. */
  start(name: string, command?: readonly string[]): Pod {
    const workload = this.#workloads.find(({ object }) => object.metadata.name === name);
    const [container] = workload?.pod.containers ?? [];
    if (workload === undefined || container?.command === undefined) throw new Error(`There is no ${name}`);
    for (const beside of workload.pod.initContainers ?? []) {
      if (beside['restartPolicy'] === 'Always') this.#run(workload, beside, beside.command ?? []);
    }
    return this.#run(workload, container, command ?? container.command);
  }

  #run(workload: RenderedWorkload, container: Container, command: readonly string[]): Pod {
    const image = this.#options.imageOf(/^.*\/([^:@]+)/.exec(container.image)?.[1] ?? '');
    const env = this.#environmentOf(workload, container);
    const running = runContainer(this.#options.nodeFolder, { image, command, env });
    const pod = { ...running, container, address: `http://${this.#hostOf(workload.object.metadata.name)}:8080` };
    this.#pods.add(pod);
    return pod;
  }

  /** Migration Jobs, which end before processes are ready. */
  migrations(): string[] {
    const migrations = this.#workloads.filter(
      ({ object, labels }) => object.kind === 'Job' && labels['clew.dev/role'] === 'migration',
    );
    return migrations.map(({ object }) => object.metadata.name);
  }

  services(): ServiceName[] {
    const lasting = this.#workloads.filter(isLasting);
    return lasting.map(({ object }) => ServiceName.parse(object.metadata.name));
  }

  async stop(): Promise<void> {
    for (const pod of this.#pods) {
      pod.child.kill('SIGKILL');
      await pod.ended;
    }
  }

  #environmentOf({ object }: RenderedWorkload, container: Container): Record<string, string> {
    const { name } = object.metadata;
    const settings = container.envFrom?.flatMap(({ configMapRef }) => this.#settings(configMapRef?.name));
    const named = (container.env ?? []).map(({ name: variable, value, valueFrom }) => {
      const secret = valueFrom?.secretKeyRef;
      if (valueFrom?.fieldRef?.fieldPath === 'metadata.name') return [variable, `${name}-0`] as const;
      return [variable, secret === undefined ? (value ?? '') : this.#secret(secret.name, secret.key)] as const;
    });
    const all = Object.entries(Object.fromEntries([...(settings ?? []), ...named]));
    const folders = (container.volumeMounts ?? []).map(
      (mount) => [mount.mountPath, this.#mount(name, mount.name)] as const,
    );
    const here = all.map(([variable, value]) => [variable, this.#onThisMachine(value, folders)] as const);
    const TMPDIR = folders.find(([path]) => path === '/tmp')?.[1] ?? '/nowhere';
    return { ...Object.fromEntries(here), HOST: this.#hostOf(name), TMPDIR };
  }

  #settings(named: string | undefined): [string, string][] {
    const found = this.#options.objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === named);
    if (found === undefined) throw new Error(`There is no ConfigMap ${named}`);
    return Object.entries(found['data'] as Record<string, string>);
  }

  #secret(secret: string, key: string): string {
    const value = this.#options.servers.secrets.value(secret, key);
    if (value === undefined) throw new Error(`There is no ${secret} with ${key}`);
    return value;
  }

  /**
   * Creates a volume as the manifest mounts it: the keys of this process only, or an empty folder owned by its user.
   */
  #mount(name: string, volume: string): string {
    const folder = join(this.#options.volumesFolder, name, volume);
    mkdirSync(folder, { recursive: true });
    if (volume === 'identity') {
      const publicKeys = this.#secret(PUBLIC_KEYS_NAME, 'public-keys.json');
      writeFileSync(join(folder, 'public-keys.json'), publicKeys);
      if (serviceDefinition(ServiceName.parse(name)).signsIdentity) {
        const key = this.#secret(`clew-identity-${name}`, 'private.pem');
        writeFileSync(join(folder, 'private.pem'), key, { mode: 0o440 });
      }
    }
    if (volume === 'agent-keys') {
      const keys = this.#secret('clew-agent-keys', 'agent-keys.json');
      writeFileSync(join(folder, 'agent-keys.json'), keys, { mode: 0o440 });
    }
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${CONTAINER_USER}:${CONTAINER_USER}`, folder]);
    else chownSync(folder, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    return folder;
  }

  #onThisMachine(value: string, folders: readonly (readonly [string, string])[]): string {
    const mounted = folders.find(([path]) => value === path || value.startsWith(`${path}/`));
    if (mounted !== undefined) return value.replace(mounted[0], mounted[1]);
    const host = /^http:\/\/([a-z-]+):8080$/.exec(value)?.[1];
    return host === undefined ? value : `http://${this.#hostOf(host)}:8080`;
  }

  #hostOf(name: string): string {
    return `${this.#options.network}.${this.#workloads.findIndex(({ object }) => object.metadata.name === name) + 1}`;
  }
}
