import type { ControlPlane } from './control-plane.ts';
import type { Built, Installation } from './installation.ts';
import { kubectl } from './kubectl.ts';
import type { KubeObject } from './objects.ts';
import type { Tool } from './tool.ts';

const PROCESSES = 'app.kubernetes.io/part-of=clew';

/** Commands of the guide: apply everything at once, then wait for steps and processes. */
export class Kubectl implements Tool {
  readonly name: string;
  readonly prunes = false;
  readonly #plane: ControlPlane;
  readonly #namespace: string;
  readonly #options: readonly string[];

  constructor(plane: ControlPlane, { namespace }: Installation, options: readonly string[] = []) {
    this.name = ['kubectl apply -k', ...options].join(' ');
    this.#plane = plane;
    this.#namespace = namespace;
    this.#options = options;
  }

  async apply({ folder }: Built): Promise<void> {
    await kubectl(this.#plane, ['apply', '-k', folder, ...this.#options]);
    for (const role of ['preflight', 'migration']) {
      await this.#within('wait', '--for=condition=complete', 'job', '-l', `clew.dev/role=${role}`, '--timeout=3m');
    }
    await this.#within('rollout', 'status', 'deploy,statefulset', '-l', PROCESSES, '--timeout=3m');
  }

  async remove(objects: readonly KubeObject[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    await kubectl(this.#plane, ['delete', '-f', '-', '--ignore-not-found'], list);
  }

  async #within(...args: string[]): Promise<void> {
    await kubectl(this.#plane, ['-n', this.#namespace, ...args]);
  }
}
