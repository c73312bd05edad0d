import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Tree } from '@nx/devkit';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import generateService from './generator.ts';

const TABLE = 'libs/contracts/src/services.ts';
const ROOT = join(import.meta.dirname, '../../../..');
let tree: Tree;

beforeEach(() => {
  tree = createTreeWithEmptyWorkspace();
  tree.write(TABLE, readFileSync(join(ROOT, TABLE)));
});

describe('the generator of a service', () => {
  it('makes an app, and its entry in the table with a port of its own; nothing else is changed', async () => {
    const before = new Set(tree.listChanges().map(({ path }) => path));
    await generateService(tree, { name: 'reports-svc', area: 'reports' });
    const table = tree.read(TABLE, 'utf8') ?? '';
    const entry = /'reports-svc': \{ \.\.\.HTTP_SERVICE, database: 'clew_reports', port: (\d+) \}/.exec(table);
    const ports = [...table.matchAll(/port: (\d+)/g)].map(([, port]) => port);
    expect(ports.filter((port) => port === entry?.[1])).toHaveLength(1);
    const made = tree.listChanges().filter(({ path }) => !before.has(path));
    expect(made.every(({ path }) => path.startsWith('apps/reports-svc/'))).toBe(true);
    expect(made.map(({ path }) => path)).toContain('apps/reports-svc/src/create-reports.ts');
    expect(made.some(({ path, content }) => path.endsWith('.template') || content?.includes('<%'))).toBe(false);
  });

  it('leaves a service alone that is there already', async () => {
    tree.write('apps/reports-svc/README.md', 'mine');
    await expect(generateService(tree, { name: 'reports-svc', area: 'reports' })).rejects.toThrow('is there already');
  });
});
