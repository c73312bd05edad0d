import { describe, expect, it } from '@jest/globals';
import { endOf, PRESETS, presetOf, SCOPE_IDS, snippetOf } from './scopes.ts';

it('finds the preset of scopes in any order, and none for others', () => {
  for (const { id, scopes } of PRESETS) expect(presetOf([...scopes].reverse())).toBe(id);
  expect(presetOf([])).toBeUndefined();
  expect(presetOf(SCOPE_IDS)).toBeUndefined();
});

it('ends a key after its days, or never', () => {
  expect(endOf('30', 1_000)).toBe(30 * 86_400_000 + 1_000);
  expect(endOf('', 1_000)).toBeNull();
  expect(endOf('never', 1_000)).toBeNull();
});

describe('the lines for a key', () => {
  const of = (...scopes: Parameters<typeof presetOf>[0][number][]) =>
    snippetOf(scopes, 'https://clew.example/base/', 'clew_secret', 'prj_1');

  it('are those of what it is for', () => {
    expect(of('telemetry:write')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=https://clew.example/base\n');
    expect(of('gateway:invoke')).toContain('OPENAI_BASE_URL=https://clew.example/base/v1');
    expect(of('diagnostics:read')).toContain('https://clew.example/base/v1/projects/prj_1/diagnostics/findings');
    expect(of('models:manage')).toContain('/v1/me');
  });

  it('hold the secret once', () => {
    for (const scope of SCOPE_IDS) expect(of(scope).split('clew_secret')).toHaveLength(2);
  });
});
