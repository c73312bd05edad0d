import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type ConfirmChannel } from 'amqplib';
import { MongoClient } from 'mongodb';
import { HealthStatus } from '@clew/contracts';
import { SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { eventually } from '@clew/testing';
import { assembleImage } from './image/assemble.ts';
import { IMAGES } from './image/image-content.ts';
import { renderedObjects } from './policy/rendered.ts';
import { Cluster, type Pod } from './test-support/cluster.ts';
import { startConfinedServers, type ConfinedServers } from './test-support/confined-servers.ts';
import { provideNode } from './test-support/container.ts';

const START_TIMEOUT_MS = 1_200_000;
const READY_TIMEOUT_MS = 120_000;
const FINDING_TIMEOUT_MS = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'clew-rollout-'));
const pods = new Map<string, Pod>();
let servers: ConfinedServers;
let cluster: Cluster;

/** Folder with images of an earlier build, which saves building them again. */
const READY_IMAGES = process.env['CLEW_IMAGES'];

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const images = READY_IMAGES ?? join(folder, 'images');
  if (READY_IMAGES === undefined) {
    for (const [name, content] of IMAGES) await assembleImage({ content, out: join(images, name) });
  }
  servers = await startConfinedServers(join(folder, 'servers'));
  cluster = new Cluster({
    objects: renderedObjects('production'),
    servers,
    imageOf: (name) => join(images, name),
    ...{ volumesFolder: join(folder, 'volumes'), nodeFolder: provideNode(folder) },
    network: `127.${randomInt(64, 250)}.${randomInt(1, 250)}`,
  });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await cluster.stop();
  await servers.stop();
  rmSync(folder, { recursive: true });
});

/** Calls a probe like a kubelet: any status that is not a success is a failure. */
async function ask(pod: Pod, probe: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<Response> {
  const response = await fetch(`${pod.address}${pod.container[probe]!.httpGet!.path}`);
  if (!response.ok) throw new Error(`${probe}: ${response.status} ${await response.text()}`);
  return response;
}

describe('the production overlay, as processes', () => {
  it(
    'migrates with the users that may, and starts every process with those that may not',
    async () => {
      for (const job of cluster.migrations()) {
        const running = cluster.start(job);
        expect([job, await running.ended, running.output()]).toEqual([job, 0, expect.anything()]);
      }
      for (const name of cluster.services()) pods.set(name, cluster.start(name));
      for (const [name, pod] of pods) {
        await eventually(() => ask(pod, 'startupProbe'), { timeoutMs: READY_TIMEOUT_MS });
        await eventually(() => ask(pod, 'readinessProbe'), { timeoutMs: READY_TIMEOUT_MS }).catch((error: unknown) => {
          throw new Error(`${name} does not get ready: ${String(error)}\n${pod.output().slice(-3_000)}`);
        });
      }
      expect([...pods.keys()].sort()).toEqual([...SERVICE_NAMES].sort());
    },
    START_TIMEOUT_MS,
  );

  it.each([...SERVICE_NAMES])('answers for %s as its surface does', async (name) => {
    const answer = await ask(pods.get(name)!, 'livenessProbe');
    const text = await answer.text();
    if (serviceDefinition(name).health.format === 'text') expect(text).toBe('healthz: ok');
    else {
      const status = HealthStatus.parse(JSON.parse(text));
      expect(status).toMatchObject({ status: 'ok', service: name, deploymentTarget: 'server' });
    }
  });

  it('finds a problem in a conversation that is sent to it', async () => {
    const made = cluster.start('gateway', ['node', 'app/dist/bootstrap.js', '--output', 'json']);
    expect(await made.ended).toBe(0);
    const line = made
      .output()
      .split('\n')
      .find((text) => text.includes('"apiKey"'))!;
    const { apiKey, projectId } = JSON.parse(line) as { apiKey: string; projectId: string };
    const project = `${pods.get('gateway')!.address}/v1/projects/${projectId}`;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' };
    const messages = [
      { role: 'user', content: 'Cancel order 17.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'cancel_order', arguments: '{"id":17}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Error: 503 from billing' },
      { role: 'assistant', content: 'Done, your order is cancelled.' },
    ];
    const body = JSON.stringify({ id: 'order-17', messages });
    const sent = await fetch(`${project}/conversations/import`, { method: 'POST', headers, body });
    expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining('"imported":1')]);
    const findings = await eventually(
      async () => {
        const response = await fetch(`${project}/diagnostics/findings`, { headers });
        const found = ((await response.json()) as { findings: { title: string }[] }).findings;
        if (found.length === 0) throw new Error('none yet');
        return found;
      },
      { timeoutMs: FINDING_TIMEOUT_MS },
    );
    expect(findings[0]!.title).toContain('cancel_order');
  }, 300_000);
});

describe('a right that was not given', () => {
  const refusal = { code: 403 };

  async function onChannel(user: string, work: (channel: ConfirmChannel) => Promise<unknown>) {
    const connection = await connect(servers.amqpUrl(user));
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    const closed = new Promise((_resolve, reject) => channel.on('error', reject));
    try {
      return await Promise.race([work(channel), closed]);
    } finally {
      await connection.close().catch(() => undefined);
    }
  }

  it('is refused by the broker: to declare, to publish the message of another, to take from the queue of another', async () => {
    const spans = 'telemetry-warehouse.spans-received.v1';
    await expect(onChannel('diagnostics-svc', (on) => on.assertQueue('mine', { durable: true }))).rejects.toMatchObject(
      refusal,
    );
    await expect(onChannel('datasets-svc', (on) => on.consume(spans, () => undefined))).rejects.toMatchObject(refusal);
    const publish = (user: string, key: string) =>
      onChannel(user, (on) => {
        on.publish('clew.events', key, Buffer.from('{}'));
        return on.waitForConfirms();
      });
    await expect(publish('jobs-worker', 'telemetry.spans.received.v1')).rejects.toMatchObject(refusal);
    await expect(publish('datasets-svc', 'gateway.api-key.changed.v1')).rejects.toMatchObject(refusal);
  });

  it('is refused by the database: to read that of another, and to change what only migrations change', async () => {
    const client = await new MongoClient(servers.secrets.value('clew-datasets-svc', 'MONGO_URL')!).connect();
    const unauthorized = { codeName: 'Unauthorized' };
    try {
      await expect(client.db('clew_gateway').collection('api_keys').findOne()).rejects.toMatchObject(unauthorized);
      const own = client.db('clew_datasets').collection('examples');
      await expect(own.createIndex({ any: 1 })).rejects.toMatchObject(unauthorized);
      await expect(own.drop()).rejects.toMatchObject(unauthorized);
      expect(await own.countDocuments({})).toBe(0);
    } finally {
      await client.close();
    }
  });
});
