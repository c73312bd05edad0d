import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts/services';
import { eventually, useTestEnvironment } from '@clew/testing';
import { provideNode, runContainer, type RunningContainer } from '../test-support/container.ts';
import { assembleImage, BILL_OF_MATERIALS } from './assemble.ts';
import { IMAGES } from './image-content.ts';

const MIB = 1024 * 1024;
const BUILD_TIMEOUT_MS = 600_000;
/** Size of the base image of the services without Node: C libraries, certificates, time zones. */
const BASE_BYTES = 40 * MIB;
const LARGEST_IMAGE_BYTES = 250 * MIB;

const environment = useTestEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'clew-image-'));
const images = { gateway: join(folder, 'gateway'), cli: join(folder, 'cli') };
const running = new Set<RunningContainer>();
let nodeFolder: string;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  nodeFolder = provideNode(folder);
  for (const [name, out] of Object.entries(images)) await assembleImage({ content: IMAGES.get(name)!, out });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}, BUILD_TIMEOUT_MS);
afterEach(async () => {
  for (const container of running) {
    container.child.kill('SIGKILL');
    await container.ended;
  }
  running.clear();
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(image: string, script: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    MONGO_URL: environment.mongoUrl,
    MONGO_DATABASE: environment.database,
    AMQP_URL: environment.amqpUrl,
    AUTH_SECRET: 'a secret of a test, of at least 32 bytes',
    IDENTITY_PRIVATE_KEY_FILE: join(folder, 'key.pem'),
    ...Object.fromEntries(CALLED_SERVICES.map((name) => [addressVariable(name), 'http://127.0.0.1:9'])),
    ...more,
  };
  const container = runContainer(nodeFolder, { image, command: ['node', script, ...args], env });
  running.add(container);
  return container;
}

function portOf({ output }: RunningContainer): string {
  const port = /"port":(\d+)/.exec(output())?.[1];
  if (port === undefined) throw new Error('it does not listen yet');
  return port;
}

const filesOf = (image: string) =>
  execFileSync('find', [image, '-printf', '%p %s %T@ %m %u\n'], { encoding: 'utf8', maxBuffer: 64 * MIB });

const bytesOf = (image: string) => Number(execFileSync('du', ['-sb', image], { encoding: 'utf8' }).split('\t')[0]);

describe('the image of a service, outside of any checkout', () => {
  it('migrates, serves its API and its documents, answers its health check, and changes nothing in itself', async () => {
    const before = filesOf(images.gateway);
    expect(await start(images.gateway, 'app/dist/migrate.js').ended).toBe(0);
    const gateway = start(images.gateway, 'app/dist/main.js');
    const PORT = await eventually(() => portOf(gateway));
    await eventually(async () => expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200));

    const api = (await (await fetch(`http://127.0.0.1:${PORT}/openapi.json`)).json()) as { openapi: string };
    expect(api.openapi).toBe('3.1.0');
    expect((await fetch(`http://127.0.0.1:${PORT}/docs/`)).status).toBe(200);
    const health = { CLEW_SERVICE: 'gateway', PORT };
    expect(await start(images.gateway, 'health-check.mjs', [], health).ended).toBe(0);
    expect(await start(images.gateway, 'health-check.mjs', [], { ...health, PORT: '9' }).ended).toBe(1);
    expect(filesOf(images.gateway)).toBe(before);
  });

  it('holds no sources, types, tests or tools, and stays below 250 MB with Node and its base', () => {
    const files = execFileSync('find', ['.', '-type', 'f'], { cwd: images.gateway, encoding: 'utf8' }).split('\n');
    expect(files).toContain('./node_modules/express/package.json');
    expect(files.filter((file) => /\.ts$|\.map$|^\.\/(apps|libs)\/.*\/dist\/.*test\./.test(file))).toEqual([]);
    expect(files.filter((file) => /node_modules\/(typescript|jest|nx|@swc|tsx)\//.test(file))).toEqual([]);
    const withNode = bytesOf(images.gateway) + bytesOf(join(nodeFolder, 'node')) + BASE_BYTES;
    expect(withNode).toBeLessThan(LARGEST_IMAGE_BYTES);
  });

  it('says what it consists of: every package that is installed, with its version', () => {
    const { bomFormat, components } = JSON.parse(readFileSync(join(images.gateway, BILL_OF_MATERIALS), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const express = JSON.parse(readFileSync(join(images.gateway, 'node_modules/express/package.json'), 'utf8')) as {
      version: string;
    };
    expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/express@${express.version}`);
    expect(components.map(({ name }) => name)).not.toContain('jest');
  });

  it('belongs to another user than the one that runs it, who may not write to it', () => {
    const writable = execFileSync('find', [images.gateway, '!', '-type', 'l', '-perm', '/022'], { encoding: 'utf8' });
    expect(writable).toBe('');
  });
});

describe('the image of the command line', () => {
  it('makes the first keys with the command of the gateway that it holds', async () => {
    expect(await start(images.gateway, 'app/dist/migrate.js').ended).toBe(0);
    const cli = start(images.cli, 'app/dist/main.js', ['bootstrap', '--output', 'json']);
    expect(await cli.ended).toBe(0);
    expect(cli.output()).toContain('"apiKey":"clew_');
  });
});
