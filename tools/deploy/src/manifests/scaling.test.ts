import { describe, expect, it } from '@jest/globals';
import { renderedObjects } from '../policy/rendered.ts';
import { knownSeries, strangersIn } from '../test-support/known-metrics.ts';

const complete = renderedObjects('complete');
const named = (kind: string) => complete.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);

interface Scaled {
  triggers: { type: string; metadata: { query: string; threshold: string } }[];
}
const queries = complete
  .filter(({ kind }) => kind === 'ScaledObject')
  .flatMap(({ metadata, spec }) =>
    (spec as unknown as Scaled).triggers
      .filter(({ type }) => type === 'prometheus')
      .map(({ metadata: { query, threshold } }) => ({ name: metadata.name, query, threshold })),
  );

describe('scaling', () => {
  it('starts the next replica when one core is busy, and not when a small request is', () => {
    for (const { kind, spec: scaling } of renderedObjects('production')) {
      if (kind !== 'HorizontalPodAutoscaler') continue;
      const [{ resource }] = (scaling as { metrics: [{ resource: { target: object } }] }).metrics;
      expect(resource.target).toEqual({ type: 'AverageValue', averageValue: '700m' });
    }
  });

  it('goes by requests under way where processes wait for models, and by one autoscaler each', () => {
    const scaled = named('ScaledObject');
    expect(scaled).toEqual(expect.arrayContaining(['gateway', 'model-runtime-svc', 'jobs-worker']));
    expect(named('HorizontalPodAutoscaler').filter((name) => scaled.includes(name))).toEqual([]);
    const deployments = complete.filter(
      ({ kind, metadata }) => kind === 'Deployment' && scaled.includes(metadata.name),
    );
    for (const { spec } of deployments) expect(spec).not.toHaveProperty('replicas');
    expect(deployments).toHaveLength(scaled.length);
    // Gauges count current requests: a duration is known only when a call has ended, which takes minutes.
    for (const { name, query } of queries) {
      if (name !== 'jobs-worker') expect(query).toMatch(/^sum\(clew_\w+_requests_in_flight\{[^}]*\}\)$/);
    }
  });

  it('asks for nothing that no process tells', async () => {
    expect(queries.length).toBeGreaterThan(3);
    for (const { query } of queries) expect(strangersIn(query, await knownSeries())).toEqual([]);
  });
});
