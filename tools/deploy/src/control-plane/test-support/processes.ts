import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '@clew/operator';
import { serviceDefinition, ServiceName } from '@clew/contracts/services';
import { valueOf, type Surroundings } from './needs.ts';
import type { Pod, VolumeSource } from './objects.ts';
import { reaches, type Neighbourhood } from './reach.ts';

/** Current state of a process, as its probes or its exit show it. */
export type Doing =
  | { readonly is: 'starting' | 'waiting'; readonly reason: string }
  | { readonly is: 'ready' | 'succeeded' }
  | { readonly is: 'failed'; readonly output: string };

export type Around = Surroundings & Neighbourhood;

const ROLE = 'clew.dev/role';
const NAME = 'app.kubernetes.io/name';

/**
 * Simulates the processes of the product. Migrations wait for their server and record that they have run. Processes are
 * ready when they reach their servers and the migrations of their own image have run. The preflight is the real one.
 */
export class Processes {
  /** Migrations that have run, as `<namespace>/<app> <image>`; the record outlives the Jobs. */
  readonly #migrated = new Set<string>();

  async doingOf(pod: Pod, around: Around): Promise<Doing> {
    const { [ROLE]: role, [NAME]: name = '' } = pod.metadata.labels ?? {};
    if (role === 'preflight') return await preflight(pod, around);
    if (role === 'migration') return this.#migration(pod, around);
    if (role === 'command-line') return { is: 'ready' };
    const service = ServiceName.safeParse(name).data;
    return service === undefined ? { is: 'ready' } : this.#service(service, pod, around);
  }

  /** Images whose migrations have run for an app. */
  imagesOf(namespace: string, app: string): string[] {
    const start = `${namespace}/${app} `;
    return [...this.#migrated].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
  }

  #migration(pod: Pod, around: Around): Doing {
    const away = unreached(pod, around);
    if (away.length > 0) return { is: 'waiting', reason: `cannot reach ${away.join(', ')}` };
    const { namespace = '', labels = {} } = pod.metadata;
    const app = (labels[NAME] ?? '').replace('migrate-', '');
    this.#migrated.add(`${namespace}/${app} ${imageOf(pod)}`);
    return { is: 'succeeded' };
  }

  #service(name: ServiceName, pod: Pod, around: Around): Doing {
    const away = unreached(pod, around);
    if (away.length > 0) return { is: 'waiting', reason: `cannot reach ${away.join(', ')}` };
    const namespace = pod.metadata.namespace ?? '';
    const { database, worksOnDatabaseOf } = serviceDefinition(name);
    // All apps share one broker topology; other versions only add to it.
    if (this.imagesOf(namespace, 'jobs-worker').length === 0) return { is: 'waiting', reason: 'there is no topology' };
    const images = this.imagesOf(namespace, worksOnDatabaseOf ?? name);
    const needsOwn = database !== undefined && !images.includes(imageOf(pod));
    if (needsOwn || (worksOnDatabaseOf !== undefined && images.length === 0)) {
      return { is: 'waiting', reason: 'the database lacks migrations of this version' };
    }
    return { is: 'ready' };
  }
}

const imageOf = ({ spec: { containers } }: Pod) => containers[0]?.image ?? '';

/** Servers whose address the process has but which it cannot reach. */
function unreached(pod: Pod, around: Around): string[] {
  const given = (pod.spec.containers[0]?.env ?? []).flatMap(({ name, valueFrom }) => {
    const ref = valueFrom?.secretKeyRef;
    if (ref === undefined || !['MONGO_URL', 'AMQP_URL'].includes(name)) return [];
    return [{ name, address: valueOf(around, 'Secret', ref.name, ref.key) ?? '' }];
  });
  return given.filter(({ address }) => !reaches(pod, address, around)).map(({ name }) => name);
}

/** Runs the command in a folder with the files that a kubelet would have mounted. */
async function preflight(pod: Pod, around: Around): Promise<Doing> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-preflight-'));
  try {
    const sources = (pod.spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
    for (const source of sources) mount(source, folder, around);
    let output = '';
    const needed = pod.spec.containers[0]?.args ?? [];
    const write = (text: string) => (output += text);
    const code = await runCommand(['preflight', folder, ...needed], { env: {}, write });
    return code === 0 ? { is: 'succeeded' } : { is: 'failed', output };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mount({ secret, configMap }: VolumeSource, folder: string, around: Surroundings): void {
  const kind = secret === undefined ? 'ConfigMap' : 'Secret';
  const { name = '', items = [] } = secret ?? configMap ?? {};
  for (const { key, path } of items) {
    const value = valueOf(around, kind, name, key);
    if (value === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), value);
  }
}
