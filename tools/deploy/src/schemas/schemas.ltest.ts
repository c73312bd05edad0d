import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OVERLAYS } from '../policy/rendered.ts';
import { render } from '../render/kustomize.ts';
import { DEFINITIONS } from '../test-support/custom-kinds.ts';
import { goModule, goProgram } from '../test-support/go-modules.ts';
import { KUSTOMIZE } from '../test-support/kustomize-module.ts';
import { schemaLocation, writeCustomSchemas, writeKubernetesSchemas } from './schema-folder.ts';

const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0';
const KUBERNETES = 'k8s.io/kubernetes@v1.34.2';
const INSTALL_TIMEOUT_MS = 900_000;
const CHECK_TIMEOUT_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'clew-schemas-'));
const schemas = join(folder, 'schemas');
const before = process.env['KUSTOMIZE'];
let kubeconform = '';

beforeAll(() => {
  mkdirSync(schemas);
  kubeconform = goProgram(KUBECONFORM, process.env['KUBECONFORM'], folder);
  process.env['KUSTOMIZE'] = goProgram(KUSTOMIZE, before, folder);
  writeKubernetesSchemas(schemas, join(goModule(KUBERNETES), 'api/openapi-spec/swagger.json'));
  for (const { module, folder: definitions } of DEFINITIONS) {
    writeCustomSchemas(schemas, join(goModule(module), definitions));
  }
}, INSTALL_TIMEOUT_MS);
afterAll(() => {
  if (before === undefined) delete process.env['KUSTOMIZE'];
  rmSync(folder, { recursive: true });
});

/** Findings of kubeconform; a kind without a schema is one too. */
function check(text: string) {
  const args = ['-strict', '-summary', '-output', 'json', '-schema-location', schemaLocation(schemas), '-'];
  const { stdout } = spawnSync(kubeconform, args, { input: text, encoding: 'utf8' });
  return JSON.parse(stdout) as { resources: { kind: string; msg: string }[]; summary: Record<string, number> };
}

describe('every object of what kustomize builds is one that Kubernetes, KEDA, the Prometheus operator or the Gateway API takes', () => {
  it.each(OVERLAYS)(
    'in the overlay %s',
    async (overlay) => {
      const text = await render(overlay);
      const { resources, summary } = check(text);
      expect(resources).toEqual([]);
      expect(summary).toEqual({ valid: text.match(/^kind: /gm)?.length, invalid: 0, errors: 0, skipped: 0 });
    },
    CHECK_TIMEOUT_MS,
  );

  it.each([
    { kind: 'Deployment', from: 'livenessProbe:', to: 'liveProbe:' },
    { kind: 'ScaledObject', from: '  scaleTargetRef:\n    apiVersion', to: '  scaleTargetRef:\n    version' },
    { kind: 'PodMonitor', from: '  podMetricsEndpoints:', to: '  endpoints:' },
    { kind: 'NetworkPolicy', from: '  podSelector:', to: '  selector:' },
    { kind: 'HTTPRoute', from: '    timeouts:', to: '    timeout:' },
  ])(
    'a $kind with a member of another name would be found',
    async ({ kind, from, to }) => {
      const objects = (await render('complete')).split('\n---\n');
      const right = objects.find((object) => object.includes(`\nkind: ${kind}\n`) && object.includes(from)) ?? '';
      expect(check(right)).toMatchObject({ resources: [], summary: { valid: 1 } });
      expect(check(right.replace(from, to)).resources).toEqual([expect.objectContaining({ kind })]);
    },
    CHECK_TIMEOUT_MS,
  );
});
