import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@clew/stack';
import { eventually } from '@clew/testing';
import { Api } from './api.ts';
import { providePrograms, type Programs } from './programs.ts';

const START_TIMEOUT_MS = 180_000;

/** Controllers that a rollout needs; those that need machines, metrics or a cloud are left out. */
const CONTROLLERS = [
  ...['deployment', 'replicaset', 'statefulset', 'job', 'cronjob', 'serviceaccount', 'serviceaccount-token'],
  ...['namespace', 'endpointslice', 'garbage-collector', 'persistentvolume-binder', 'disruption'],
  ...['persistentvolumeclaim-protection', 'horizontal-pod-autoscaler', 'ttl-after-finished'],
].map((name) => `${name}-controller`);

/** An etcd, an API server and the controllers; access requires a token. */
export interface ControlPlane {
  readonly api: Api;
  readonly kubectl: string;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export async function startControlPlane(folder: string): Promise<ControlPlane> {
  const parts = new Parts(providePrograms(), folder);
  try {
    return await parts.start();
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

class Parts {
  readonly #programs: Programs;
  readonly #folder: string;
  readonly #running: ChildProcess[] = [];
  readonly #tokens = { admin: randomBytes(24).toString('hex'), controllers: randomBytes(24).toString('hex') };

  constructor(programs: Programs, folder: string) {
    this.#programs = programs;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#writeKeys();
  }

  async start(): Promise<ControlPlane> {
    const etcd = await this.#startEtcd();
    const port = await findFreePort();
    const url = `https://127.0.0.1:${port}`;
    this.#startApiServer(etcd, port);
    const api = await eventually(() => this.#connect(url), { timeoutMs: START_TIMEOUT_MS });
    const kubeconfig = this.#writeKubeconfig('admin', url);
    await this.#startControllers(this.#writeKubeconfig('controllers', url));
    const stop = async () => {
      api.close();
      await this.stop();
    };
    return { api, kubectl: this.#programs.kubectl, kubeconfig, stop };
  }

  async stop(): Promise<void> {
    for (const child of this.#running.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }

  async #startEtcd(): Promise<string> {
    const [client, peer] = [await findFreePort(), await findFreePort()].map((port) => `http://127.0.0.1:${port}`);
    this.#spawn('etcd', {
      'data-dir': this.#file('etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
      'unsafe-no-fsync': 'true',
      'log-level': 'error',
    });
    return String(client);
  }

  #startApiServer(etcd: string, port: number): void {
    this.#spawn('apiserver', {
      'etcd-servers': etcd,
      'bind-address': '127.0.0.1',
      'secure-port': String(port),
      // The server makes its own certificate, which no client needs to know in advance.
      'cert-dir': this.#file('certificates'),
      'token-auth-file': this.#file('tokens'),
      'anonymous-auth': 'false',
      'authorization-mode': 'Node,RBAC',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': this.#file('accounts.pub'),
      'service-account-signing-key-file': this.#file('accounts.key'),
      'service-cluster-ip-range': '10.96.0.0/16',
      'endpoint-reconciler-type': 'none',
      'enable-priority-and-fairness': 'false',
    });
  }

  async #startControllers(kubeconfig: string): Promise<void> {
    this.#spawn('controllers', {
      kubeconfig,
      'secure-port': String(await findFreePort()),
      'bind-address': '127.0.0.1',
      'cert-dir': this.#file('controllers'),
      'leader-elect': 'false',
      'use-service-account-credentials': 'true',
      'service-account-private-key-file': this.#file('accounts.key'),
      'root-ca-file': this.#certificate(),
      controllers: [...CONTROLLERS, 'root-ca-certificate-publisher-controller'].join(','),
      'horizontal-pod-autoscaler-sync-period': '2s',
      'kube-api-qps': '200',
      'kube-api-burst': '400',
    });
  }

  #spawn(name: keyof Programs, options: Readonly<Record<string, string | undefined>>): void {
    const log = openSync(this.#file(`${name}.log`), 'w');
    const args = Object.entries(options).map(([option, value]) => `--${option}=${String(value)}`);
    this.#running.push(spawn(this.#programs[name], args, { stdio: ['ignore', log, log] }));
    closeSync(log);
  }

  async #connect(url: string): Promise<Api> {
    for (const { spawnfile, exitCode } of this.#running) {
      if (exitCode !== null) throw new Error(`${spawnfile} has ended with ${exitCode}`);
    }
    const certificate = readFileSync(this.#certificate(), 'utf8');
    const api = new Api({ url, token: this.#tokens.admin, certificate });
    await api.send('GET', '/readyz').catch((error: unknown) => {
      api.close();
      throw error;
    });
    return api;
  }

  #writeKeys(): void {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    writeFileSync(this.#file('accounts.pub'), publicKey);
    writeFileSync(this.#file('accounts.key'), privateKey, { mode: 0o600 });
    const lines = [
      `${this.#tokens.admin},admin,admin,system:masters`,
      `${this.#tokens.controllers},system:kube-controller-manager,controllers`,
    ];
    writeFileSync(this.#file('tokens'), `${lines.join('\n')}\n`, { mode: 0o600 });
  }

  #writeKubeconfig(user: 'admin' | 'controllers', server: string): string {
    const file = this.#file(`${user}.kubeconfig`);
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': user },
      clusters: [{ name: user, cluster: { server, 'certificate-authority': this.#certificate() } }],
      users: [{ name: user, user: { token: this.#tokens[user] } }],
      contexts: [{ name: user, context: { cluster: user, user } }],
    };
    writeFileSync(file, JSON.stringify(kubeconfig), { mode: 0o600 });
    return file;
  }

  readonly #file = (name: string) => join(this.#folder, name);
  readonly #certificate = () => this.#file('certificates/apiserver.crt');
}
