import { describe, expect, it } from '@jest/globals';
import { METRICS } from '@clew/runtime';
import { z } from 'zod';
import { knownSeries, strangersIn } from '../test-support/known-metrics.ts';
import { ALERTS } from './alerts.ts';
import { DASHBOARDS } from './dashboards.ts';
import { grafanaJson, SERVICES_QUERY } from './grafana.ts';

const GridPos = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
const Written = z.object({
  uid: z.string(),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string() })) }),
  panels: z.array(z.looseObject({ id: z.number(), type: z.string(), title: z.string(), gridPos: GridPos })),
});

const queriesOf = ({ rows }: (typeof DASHBOARDS)[number]) =>
  rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries));

/** Replaces variables as Grafana does before a query. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$service', 'gateway');

describe.each(DASHBOARDS)('the dashboard $name', (dashboard) => {
  const written = Written.parse(grafanaJson(dashboard));

  it('asks for nothing but metrics and labels that processes tell', async () => {
    const known = await knownSeries();
    expect(queriesOf(dashboard).flatMap(({ expr }) => strangersIn(filledIn(expr), known))).toEqual([]);
    expect(known.has(SERVICES_QUERY)).toBe(true);
  });

  it('names in its legends only what the query leaves', () => {
    for (const { expr, legend } of queriesOf(dashboard)) {
      const left = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? [];
      for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect(left).toContain(label);
    }
  });

  it('knows every variable that its queries use', () => {
    const variables = written.templating.list.map(({ name }) => name);
    const used = queriesOf(dashboard).flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map((match) => match[1]!));
    for (const name of used) expect(['__rate_interval', ...variables]).toContain(name);
  });

  it('lays its panels side by side, none over another', () => {
    const cells = written.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(written.panels.map(({ id }) => id)).size).toBe(written.panels.length);
  });
});

describe('dashboards and alerts', () => {
  it('show every metric of the table', () => {
    const asked = [...DASHBOARDS.flatMap(queriesOf), ...ALERTS].map(({ expr }) => expr).join('\n');
    expect(Object.keys(METRICS).filter((name) => !asked.includes(name))).toEqual([]);
  });

  it('are told apart by their uid', () => {
    const uids = DASHBOARDS.map((dashboard) => Written.parse(grafanaJson(dashboard)).uid);
    expect(new Set(uids).size).toBe(DASHBOARDS.length);
  });
});
