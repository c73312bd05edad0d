import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './assemble.ts';
import { BAKED, bakeFile } from './bake-file.ts';

const DOCKER = join(ROOT, 'deploy/docker');
const text = readFileSync(join(DOCKER, 'Dockerfile'), 'utf8');

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly body: string;
}

/** Stages of the Dockerfile in order, without the text before the first one. */
const stages: readonly Stage[] = text
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((body) => {
    const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)$/m.exec(body) ?? [];
    return { name, from, body };
  });
const stageOf = (name: string) => stages.find((stage) => stage.name === name)!;
const { readBases, unpinned, writeBases } = (await import(join(DOCKER, 'bases.mjs'))) as {
  readBases(file?: string): Record<string, string>;
  writeBases(bases: Record<string, string>, file: string, dockerfile: string): void;
  unpinned(bases: Record<string, string>): string[];
};
const bases = readBases();

describe('the Dockerfile', () => {
  it('installs and compiles once for all images: no argument of one of them comes before that', () => {
    const { body } = stageOf('checkout');
    expect(body).toMatch(/npm ci[\s\S]*npm run --silent build/);
    expect(body).not.toContain('ARG');
    expect(stageOf('build').from).toBe('checkout');
    expect(stageOf('build').body).toMatch(/ARG APP[\s\S]*npm run --silent image/);
    expect(text.slice(0, text.indexOf('FROM '))).not.toMatch(/ARG (?:APP|VERSION|REVISION)/);
  });

  it.each(['service', 'agent', 'agent-gpu'])(
    'labels %s with what it is, of which version, commit, source and licence',
    (name) => {
      for (const label of ['title', 'description', 'licenses', 'source', 'version', 'revision']) {
        expect(stageOf(name).body).toMatch(new RegExp(`org\\.opencontainers\\.image\\.${label}="[^"]+"`));
      }
      expect(stageOf(name).body).toContain('USER 10001:10001');
    },
  );

  it('names its bases by a version and a digest, the same wherever they are named', () => {
    const external = stages.filter(({ from }) => !stages.some(({ name }) => name === from));
    expect(external.every(({ from }) => /^\$\{\w*BASE\}$/.test(from))).toBe(true);
    const defaults = Object.fromEntries(
      [...text.matchAll(/^ARG (\w*BASE)=(\S+)$/gm)].map(([, key, image]) => [key, image]),
    );
    expect(defaults).toEqual(bases);
    expect(unpinned(bases)).toEqual([]);
    for (const image of Object.values(bases)) expect(image).not.toMatch(/:latest|^[^:]+@/);
  });

  it('is given the digests anew together with the bake file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clew-bases-'));
    const [file, dockerfile] = [join(folder, 'bases.json'), join(folder, 'Dockerfile')];
    writeFileSync(dockerfile, text);
    const renewed = { ...bases, BASE: `example.com/base:1@sha256:${'1'.repeat(64)}` };
    writeBases(renewed, file, dockerfile);
    expect(readBases(file)).toEqual(renewed);
    expect(readFileSync(dockerfile, 'utf8')).toBe(text.replace(bases['BASE']!, renewed.BASE));
    rmSync(folder, { recursive: true });
  });

  it('has what vLLM compiles with in the image for GPUs, and in no other', () => {
    for (const wanted of ['gcc', 'libc6-dev', 'python3-dev']) {
      expect(stageOf('agent-gpu-base').body).toContain(` ${wanted}`);
      expect(stageOf('agent-base').body).not.toContain(` ${wanted}`);
    }
    expect(stageOf('agent-gpu').from).toBe('agent-gpu-base');
  });
});

describe('the bake file', () => {
  const { target, group } = bakeFile() as {
    target: Record<string, { target: string; args: { APP?: string }; platforms?: string[] }>;
    group: { default: { targets: string[] } };
  };

  it('builds every image for amd64 and arm64, from targets that the Dockerfile has', () => {
    expect(group.default.targets).toEqual(BAKED.map(({ name }) => name));
    expect(target['_common']?.platforms).toEqual(['linux/amd64', 'linux/arm64']);
    for (const name of group.default.targets) expect(stageOf(target[name]?.target ?? '')).toBeDefined();
    expect(group.default.targets).toEqual(expect.arrayContaining(['gateway', 'cli', 'model-runtime-agent-gpu']));
  });
});

describe('a release', () => {
  it('is refused while a base has no digest, or nothing says where the images belong', () => {
    const digest = `@sha256:${'0'.repeat(64)}`;
    expect(unpinned({ A: `node:24${digest}`, B: 'node:24', C: 'node:24@sha256:12' })).toEqual(['B', 'C']);
    const released = spawnSync(process.execPath, [join(DOCKER, 'release.mjs'), '--check'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect(released.status).toBe(1);
    expect(released.stderr).toContain('set REGISTRY');
  });
});
