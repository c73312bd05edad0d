import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { QUEUES } from '@clew/messaging';
import { METRICS } from '@clew/runtime';
import { knownSeries, strangersIn } from '../test-support/known-metrics.ts';
import { alertGroups, ALERTS, RUNBOOKS } from './alerts.ts';
import { longRoutes, OF_QUEUES } from './series.ts';

const ROOT = join(import.meta.dirname, '../../../..');

describe.each(ALERTS)('the alert $name', ({ name, expr, summary }) => {
  it('names nothing but metrics and labels that processes tell', async () => {
    expect(strangersIn(expr, await knownSeries())).toEqual([]);
  });

  it('says in its summary only what its expression leaves', () => {
    const used = [...summary.matchAll(/\$labels\.(\w+)/g)].map((match) => match[1]);
    const left = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? ['service'];
    expect(left).toEqual(expect.arrayContaining(used));
  });

  it('has a section that says what it means, how to look, and what to do', () => {
    const page = readFileSync(join(ROOT, RUNBOOKS), 'utf8');
    const section = page.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? '';
    const said = [...section.matchAll(/^\*\*(It means|Look|Do)\*\*:? \S.{20,}/gm)].map((match) => match[1]);
    expect(said).toEqual(['It means', 'Look', 'Do']);
  });
});

describe('the runbook', () => {
  it('has no section of an alert that is gone, and every rule names its section', () => {
    const page = readFileSync(join(ROOT, RUNBOOKS), 'utf8');
    const sections = [...page.matchAll(/^## (.*)$/gm)].map((match) => match[1]!);
    expect(sections.toSorted()).toEqual(ALERTS.map(({ name }) => name).toSorted());
    const urls = [...JSON.stringify(alertGroups()).matchAll(/"runbook_url":"([^"]*)"/g)].map((match) => match[1]!);
    expect(urls.toSorted()).toEqual(
      sections.map((name) => `docs/operations/alerts.md#${name.toLowerCase()}`).toSorted(),
    );
  });

  it('links to sections that are there', () => {
    const page = readFileSync(join(ROOT, RUNBOOKS), 'utf8');
    const anchors = new Set(ALERTS.map(({ name }) => `#${name.toLowerCase()}`));
    const links = [...page.matchAll(/\]\((#[^)]*)\)/g)].map((match) => match[1]!);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });
});

describe('the series that rules stand on', () => {
  it('tell queues from other parts by their names', () => {
    const pattern = new RegExp(`^(?:${/"(.*)"/.exec(OF_QUEUES)![1]!})$`);
    for (const { name } of Object.values(QUEUES)) expect(name).toMatch(pattern);
    for (const name of ['outbox', 'retention', 'assembler', 'rule backfills']) expect(name).not.toMatch(pattern);
  });

  it('leave out routes by patterns that match themselves', () => {
    for (const path of longRoutes()) expect(path).toMatch(/^[\w/:.-]+$/);
  });

  it('are each told by some process', () => {
    const sources = ['libs', 'apps'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .flatMap(({ name }) => sourcesIn(join(ROOT, folder, name, 'src'))),
    );
    const told = new Set(sources.flatMap((text) => [...text.matchAll(/'(clew_[a-z_]+)'/g)].map((match) => match[1])));
    expect(Object.keys(METRICS).filter((name) => !told.has(name))).toEqual([]);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('test.ts') && !file.includes('test-support'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

describe('a rule', () => {
  it.each([
    ['clew_part_waitin > 0', 'no metric clew_part_waitin'],
    ['clew_part_waiting{queue="x"}', 'no label queue of clew_part_waiting'],
    ['sum by (route) (clew_part_waiting)', 'no label route to group by'],
    ['rate(clew_http_request_duration_seconds[5m])', 'no metric clew_http_request_duration_seconds'],
  ])('with a mistake is found: %s', async (expr, complaint) => {
    expect(strangersIn(expr, await knownSeries())).toEqual([complaint]);
  });

  it.each(['rate(clew_part_waiting[5m)', 'max(clew_part_waiting) offset 5m'])(
    'that is no PromQL is refused: %s',
    (expr) => {
      expect(() => strangersIn(expr, new Map())).toThrow();
    },
  );
});
