import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import type { RunningContainer } from '../test-support/container.ts';
import { useImages, type TestImages } from '../test-support/images.ts';
import { BILL_OF_MATERIALS } from './assemble.ts';
import { WORKBENCH_FOLDER } from './image-content.ts';

const MIB = 1024 * 1024;
/** Size of the base image of the services without Node: C libraries, certificates, time zones. */
const BASE_BYTES = 40 * MIB;
const LARGEST_IMAGE_BYTES = 250 * MIB;

const current = useImages('gateway');
let images: TestImages;
let gatewayImage: string;

beforeAll(() => {
  images = current();
  gatewayImage = images.folderOf('gateway');
});

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
    const before = filesOf(gatewayImage);
    expect(await images.start('gateway', 'app/dist/migrate.js').ended).toBe(0);
    const workbench = join(gatewayImage, WORKBENCH_FOLDER);
    const gateway = images.start('gateway', 'app/dist/main.js', [], { WORKBENCH_DIR: workbench });
    const PORT = await eventually(() => portOf(gateway));
    await eventually(async () => expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200));

    const api = (await (await fetch(`http://127.0.0.1:${PORT}/openapi.json`)).json()) as { openapi: string };
    expect(api.openapi).toBe('3.1.0');
    expect((await fetch(`http://127.0.0.1:${PORT}/docs/`)).status).toBe(200);
    const page = await fetch(`http://127.0.0.1:${PORT}/p/any`, { headers: { accept: 'text/html' } });
    const [, script = ''] = /src="(?:\.\/)?(assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const asset = await fetch(`http://127.0.0.1:${PORT}/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([page.status, asset.status, asset.headers.get('content-encoding')]).toEqual([200, 200, 'br']);
    const health = { CLEW_SERVICE: 'gateway', PORT };
    expect(await images.start('gateway', 'health-check.mjs', [], health).ended).toBe(0);
    expect(await images.start('gateway', 'health-check.mjs', [], { ...health, PORT: '9' }).ended).toBe(1);
    expect(filesOf(gatewayImage)).toBe(before);
  });

  it('holds no sources, types, tests or tools, and stays below 250 MB with Node and its base', () => {
    const files = execFileSync('find', ['.', '-type', 'f'], { cwd: gatewayImage, encoding: 'utf8' }).split('\n');
    expect(files).toContain('./node_modules/express/package.json');
    expect(files.filter((file) => /\.ts$|\.map$|^\.\/(apps|libs)\/.*\/dist\/.*test\./.test(file))).toEqual([]);
    expect(files.filter((file) => /node_modules\/(typescript|jest|nx|@swc|tsx)\//.test(file))).toEqual([]);
    const withNode = bytesOf(gatewayImage) + bytesOf(join(images.nodeFolder, 'node')) + BASE_BYTES;
    expect(withNode).toBeLessThan(LARGEST_IMAGE_BYTES);
  });

  it('says what it consists of: every package that is installed, with its version', () => {
    const { bomFormat, components } = JSON.parse(readFileSync(join(gatewayImage, BILL_OF_MATERIALS), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const express = JSON.parse(readFileSync(join(gatewayImage, 'node_modules/express/package.json'), 'utf8')) as {
      version: string;
    };
    expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/express@${express.version}`);
    expect(components.map(({ name }) => name)).not.toContain('jest');
  });

  it('belongs to another user than the one that runs it, who may not write to it', () => {
    const writable = execFileSync('find', [gatewayImage, '!', '-type', 'l', '-perm', '/022'], { encoding: 'utf8' });
    expect(writable).toBe('');
  });
});
