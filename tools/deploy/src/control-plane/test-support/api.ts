import { Agent, request } from 'node:https';
import type { KubeObject } from './objects.ts';

/** Address of an API server, and the credentials of its client. */
export interface Access {
  readonly url: string;
  readonly token: string;
  /** Certificate of the server. */
  readonly certificate: string;
}

/** Refusal by an API server. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(`${status}: ${message}`);
    this.status = status;
  }
}

interface Sent {
  readonly body?: unknown;
  readonly type?: string;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Reference = Pick<KubeObject, 'apiVersion' | 'kind'> & {
  readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined };
};

/** Minimal Kubernetes client with the operations that the simulated tools and nodes need. */
export class Api {
  readonly #access: Access;
  readonly #agent: Agent;
  readonly #resources = new Map<string, Promise<readonly Resource[]>>();

  constructor(access: Access) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, ca: access.certificate });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Returns an object; undefined if it does not exist. */
  async get<T extends KubeObject = KubeObject>(of: Reference): Promise<T | undefined> {
    return (await this.send('GET', await this.pathOf(of)).catch(absent)) as T | undefined;
  }

  async list<T extends KubeObject = KubeObject>(
    apiVersion: string,
    kind: string,
    namespace?: string,
  ): Promise<readonly T[]> {
    const path = await this.pathOf({ apiVersion, kind, metadata: { namespace } });
    const { items } = (await this.send('GET', path)) as { items: T[] };
    // Members of a list lack their kind and version.
    return items.map((item) => ({ ...item, apiVersion, kind }));
  }

  async create(object: KubeObject): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const path = await this.pathOf({ apiVersion, kind, metadata: { namespace: metadata.namespace } });
    await this.send('POST', path, { body: object });
  }

  /** Deletes an object; does nothing if it no longer exists. */
  async delete(of: Reference, options: object = {}): Promise<void> {
    await this.send('DELETE', await this.pathOf(of), { body: options }).catch(absent);
  }

  /** Merges into the status only, as controllers and kubelets do. */
  async setStatus(of: Reference, status: object): Promise<void> {
    const type = 'application/merge-patch+json';
    await this.send('PATCH', `${await this.pathOf(of)}/status`, { type, body: { status } }).catch(absent);
  }

  async send(method: string, path: string, { body, type = 'application/json' }: Sent = {}): Promise<unknown> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...{ authorization: `Bearer ${this.#access.token}`, accept: 'application/json', 'content-type': type },
      // Node sets no content length for the body of a DELETE.
      ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
    };
    const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve, reject) => {
      const sent = request(`${this.#access.url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks).toString() });
        });
      });
      sent.once('error', reject);
      sent.end(text);
    });
    if (status >= 400) throw new ApiError(status, messageOf(answer));
    return answer.startsWith('{') ? (JSON.parse(answer) as unknown) : answer;
  }

  /** Path of an object, or of a list if no name is given. */
  async pathOf({ apiVersion, kind, metadata }: Reference): Promise<string> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = (await this.#resourcesOf(root)).find((each) => each.kind === kind);
    if (resource === undefined) {
      // Forgotten, because the kind may be defined later.
      this.#resources.delete(root);
      throw new ApiError(404, `no matches for kind "${kind}" in version "${apiVersion}"`);
    }
    const { name, namespace } = metadata;
    const within = resource.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return `${root}${within}/${resource.name}${name === undefined ? '' : `/${name}`}`;
  }

  #resourcesOf(root: string): Promise<readonly Resource[]> {
    const known = this.#resources.get(root) ?? this.#ask(root);
    this.#resources.set(root, known);
    return known;
  }

  async #ask(root: string): Promise<readonly Resource[]> {
    const { resources } = ((await this.send('GET', root).catch(absent)) ?? { resources: [] }) as {
      resources: Resource[];
    };
    return resources.filter(({ name }) => !name.includes('/'));
  }
}

/** Turns "not found" into undefined; other errors are thrown again. */
export function absent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}

function messageOf(answer: string): string {
  try {
    return (JSON.parse(answer) as { message: string }).message;
  } catch {
    return answer;
  }
}
