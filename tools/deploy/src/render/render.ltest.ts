import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { parseObjects, workloadsOf } from '../policy/objects.ts';
import { OVERLAYS, overlayFolder, renderedFile, renderedObjects } from '../policy/rendered.ts';
import { goProgram } from '../test-support/go-modules.ts';
import { KUSTOMIZE } from '../test-support/kustomize-module.ts';
import { render, renderFolder } from './kustomize.ts';

const INSTALL_TIMEOUT_MS = 600_000;
const GUIDES = join(import.meta.dirname, '../../../../docs/operations');

const folder = mkdtempSync(join(tmpdir(), 'clew-kustomize-'));
const before = process.env['KUSTOMIZE'];

beforeAll(() => {
  process.env['KUSTOMIZE'] = goProgram(KUSTOMIZE, before, folder);
}, INSTALL_TIMEOUT_MS);
afterAll(() => {
  if (before === undefined) delete process.env['KUSTOMIZE'];
  rmSync(folder, { recursive: true });
});

it.each(OVERLAYS)('the committed overlay %s is what kustomize makes of it', async (overlay) => {
  expect(await render(overlay)).toBe(readFileSync(renderedFile(overlay), 'utf8'));
});

describe('what a guide says to add to an overlay', () => {
  const guides = readdirSync(GUIDES).flatMap((page) =>
    [...readFileSync(join(GUIDES, page), 'utf8').matchAll(/^```yaml\n# ([^\n]+)\n(.*?)^```/gms)].map(
      ([, where = '', text = '']) => ({ page, where, text }),
    ),
  );

  it('is more than nothing', () => expect(guides.length).toBeGreaterThanOrEqual(6));

  it.each(guides)('builds, and changes what is rendered ($page, $where)', async ({ where, text }) => {
    const own = mkdtempSync(join(folder, 'overlay-'));
    cpSync(overlayFolder('production'), own, { recursive: true });
    const file = join(own, 'kustomization.yaml');
    const kustomization = parse(readFileSync(file, 'utf8')) as { resources: string[]; components: string[] };
    const moved = (path: string) =>
      path.startsWith('..') ? relative(own, join(overlayFolder('production'), path)) : path;
    const resources = kustomization.resources.map(moved);
    const isObject = where !== 'in kustomization.yaml';
    if (isObject) {
      writeFileSync(join(own, 'added.yaml'), text);
      resources.push('added.yaml');
    }
    const added = isObject ? {} : (parse(text) as object);
    const components = kustomization.components.map(moved);
    writeFileSync(file, JSON.stringify({ ...kustomization, ...added, resources, components }));
    expect(await renderFolder(own)).not.toBe(readFileSync(renderedFile('production'), 'utf8'));
  });
});

describe('an overlay of an installation', () => {
  const own = join(folder, 'own');

  /** Production overlay with the changes of an installation, written as JSON, which is valid YAML. */
  async function built(changes: object) {
    mkdirSync(own, { recursive: true });
    const resources = [relative(own, overlayFolder('production'))];
    writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify({ resources, ...changes }));
    return parseObjects(await renderFolder(own));
  }
  const namesOf = (objects: ReturnType<typeof parseObjects>, kind: string) =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

  it('that pins one image by its digest has another Job for it, by whichever way, and the same for all others', async () => {
    const image = `registry.example.com/clew/gateway@sha256:${'a'.repeat(64)}`;
    const [newName, digest] = image.split('@');
    const objects = await built({ images: [{ name: 'registry.invalid/clew/gateway', newName, digest }] });
    const of = (name: RegExp) => workloadsOf(objects).find(({ object }) => name.test(object.metadata.name))!;
    expect(of(/^gateway$/).pod.containers[0]!.image).toBe(image);
    expect(of(/^migrate-gateway-/).pod.containers[0]!.image).toBe(image);
    const before = namesOf(renderedObjects('production'), 'Job');
    const after = namesOf(objects, 'Job');
    expect(before.filter((name) => !after.includes(name))).toEqual([expect.stringMatching(/^migrate-gateway-/)]);
  });

  it('that changes a setting has pods that read it under its new name', async () => {
    const literals = ['LOG_LEVEL=trace'];
    const objects = await built({
      namespace: 'clew-production',
      configMapGenerator: [{ name: 'clew-settings', behavior: 'merge', literals }],
    });
    const [name] = namesOf(objects, 'ConfigMap');
    expect(namesOf(renderedObjects('production'), 'ConfigMap')).not.toContain(name);
    for (const { object, pod } of workloadsOf(objects)) {
      if (object.kind === 'Deployment') expect(pod.containers[0]!.envFrom).toEqual([{ configMapRef: { name } }]);
    }
  });
});
