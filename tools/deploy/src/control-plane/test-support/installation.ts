import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { overlayFolder, renderedObjects, type Overlay } from '../../policy/rendered.ts';
import { workloadsOf } from '../../policy/objects.ts';
import { makeSecrets } from '../../test-support/made-secrets.ts';
import type { ControlPlane } from './control-plane.ts';
import { kubectl } from './kubectl.ts';
import { parseManifests, type KubeObject } from './objects.ts';

const REGISTRY = 'registry.invalid/clew';
const OWN_REGISTRY = 'registry.example.com/clew';
const NAMESPACES = join(overlayFolder('dev'), '../../namespaces');
const EXTERNAL = ['--mongo', 'mongodb://mongodb.example.com/?replicaSet=rs0&tls=true', '--amqp'];
const SERVERS = { dev: ['--servers'], others: [...EXTERNAL, 'amqps://rabbitmq.example.com'] };

/** Changes of an installation to its overlay, besides the registry. */
export interface Changes {
  readonly tag?: string;
  /** Image digest without `sha256:`, used instead of a tag. */
  readonly digest?: string;
  readonly settings?: readonly string[];
}

/**
 * Installation of one overlay according to the guide: a copy with image names, the namespace, and Secrets of the
 * script.
 */
export class Installation {
  readonly namespace: string;
  readonly #plane: ControlPlane;
  readonly #overlay: Overlay;
  readonly #folder: string;

  constructor(plane: ControlPlane, overlay: Overlay, folder: string) {
    this.#plane = plane;
    this.#overlay = overlay;
    this.#folder = folder;
    this.namespace = renderedObjects(overlay)[0]?.metadata.namespace ?? '';
    mkdirSync(folder, { recursive: true });
  }

  /** Writes the installation's own overlay as `kustomize edit` would; returns its folder and its objects. */
  async overlay({ tag = '0.1.0', digest, settings }: Changes = {}): Promise<Built> {
    const folder = join(this.#folder, 'overlay');
    mkdirSync(folder, { recursive: true });
    const names = new Set(workloadsOf(renderedObjects(this.#overlay)).flatMap(({ pod }) => imagesOf(pod)));
    const images = [...names]
      .filter((name) => name.startsWith(REGISTRY))
      .map((name) => {
        const newName = name.replace(REGISTRY, OWN_REGISTRY);
        return digest === undefined ? { name, newName, newTag: tag } : { name, newName, digest: `sha256:${digest}` };
      });
    const generator = { name: 'clew-settings', behavior: 'merge', literals: settings };
    const kustomization = {
      namespace: this.namespace,
      resources: [relative(folder, overlayFolder(this.#overlay))],
      images,
      ...(settings === undefined ? {} : { configMapGenerator: [generator] }),
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    return { folder, objects: parseManifests(await kubectl(this.#plane, ['kustomize', folder])) };
  }

  async makeNamespace(): Promise<void> {
    const name = this.namespace.replace('clew-', '');
    await kubectl(this.#plane, ['apply', '-f', join(NAMESPACES, `${name}.yaml`)]);
  }

  async makeSecrets(): Promise<void> {
    const folder = join(this.#folder, 'secrets');
    const servers = this.#overlay === 'dev' ? SERVERS.dev : SERVERS.others;
    makeSecrets(folder, ['--namespace', this.namespace, '--new', ...servers]);
    await kubectl(this.#plane, ['apply', '-f', join(folder, 'secrets.json')]);
  }
}

export interface Built {
  readonly folder: string;
  readonly objects: readonly KubeObject[];
}

type PodImages = ReturnType<typeof workloadsOf>[number]['pod'];

const imagesOf = ({ containers, initContainers = [] }: PodImages) =>
  [...containers, ...initContainers].map(({ image }) => image.replace(/:[^:/]*$/, ''));
