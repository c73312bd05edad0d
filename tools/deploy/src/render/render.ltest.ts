import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OVERLAYS, renderedFile } from '../policy/rendered.ts';
import { goProgram } from '../test-support/go-modules.ts';
import { KUSTOMIZE } from '../test-support/kustomize-module.ts';
import { render } from './kustomize.ts';

const INSTALL_TIMEOUT_MS = 600_000;

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
