import { createHash } from 'node:crypto';
import { FINDING_SORTS } from '@clew/contracts';
import type { Document } from 'mongodb';
import { findingDocument, FIRST_AT } from './workload.ts';

const RULES = 20;
const PEOPLE = 30;
const AGENTS = 8;
const TITLES = ['A tool failed', 'An answer was cut off', 'A request was dropped', 'The user was not understood'];

/** Findings with everything that a page filters by: Rules, people and agents have them unevenly. */
export function* listedDocuments(projectId: string, count: number): Generator<Document> {
  for (let index = 0; index < count; index += 1) yield listedDocument(projectId, index);
}

function listedDocument(projectId: string, index: number): Document {
  const digest = createHash('sha256').update(`listed ${index}`).digest();
  const share = (offset: number) => digest.readUInt32BE(offset) / 2 ** 32;
  const rule = Math.floor(share(0) ** 2 * RULES);
  const assignee = share(4) < 0.3 ? `usr_${Math.floor(share(8) ** 2 * PEOPLE)}` : '';
  const agent = share(12) < 0.8 ? `agent ${Math.floor(share(16) ** 2 * AGENTS)}` : '';
  const workItem = share(20) < 0.05 ? 'active' : share(20) < 0.15 ? 'done' : 'none';
  const snoozed = share(24) < 0.02;
  const [ruleId, categoryKey] = [`rule_${rule}`, `category_${rule % 9}`];
  const title = `${TITLES[rule % TITLES.length]}: ${digest.toString('hex').slice(0, 6)}`;
  const found = findingDocument(projectId, index);
  const facets = [
    ...(found['reviewStatus'] === 'unreviewed' ? [] : [`v:${found['reviewStatus']}`]),
    ...(found['resolutionStatus'] === 'unresolved' ? [] : [`o:${found['resolutionStatus']}`]),
    `s:${found['severity']}`,
    ...[`r:${ruleId}`, `c:${categoryKey}`],
    ...(assignee === '' ? [] : [`a:${assignee}`]),
    ...(agent === '' ? [] : [`g:${agent}`]),
    ...(workItem === 'none' ? [] : [`w:${workItem}`]),
    ...(snoozed ? ['snoozed'] : []),
  ];
  return {
    ...found,
    ...{ ruleId, categoryKey, title, occurrenceCount: 1 + Math.floor(1 / (share(28) + 0.001)) },
    titleWords: title.toLowerCase().match(/[a-z0-9]+/g) ?? [],
    listing: { facets, assignee, agent, workItem, snoozed },
  };
}

/** Queries that pages make, by what they show: each filter alone, and what people combine. */
export function listQueries(count: number): string[] {
  const lastDay = `lastDetectedAfter=${FIRST_AT + 1_000 * count - 3_600_000}`;
  const filters = [
    '',
    'reviewStatus=unreviewed&resolutionStatus=unresolved,regressed',
    'severity=critical,high',
    'severity=critical&reviewStatus=confirmed',
    'ruleId=rule_0',
    'ruleId=rule_19',
    'ruleId=rule_3,rule_7&severity=critical,high',
    'categoryKey=category_2',
    'assignee=usr_0&reviewStatus=unreviewed',
    'assignee=usr_29',
    'assignee=none&workItem=none&snoozed=false',
    'agent=agent%200',
    'agent=agent%207&ruleId=rule_2',
    'snoozed=true',
    'workItem=active',
    'workItem=done&severity=critical',
    'minDiagnosticScore=0.9',
    'minDiagnosticScore=0.999&ruleId=rule_1',
    lastDay,
    `${lastDay}&severity=critical,high`,
    'q=dropped',
    'q=a%20tool%20fai',
    'q=3fa9',
  ];
  return FINDING_SORTS.flatMap((sort) =>
    filters.map((filter) => (filter === '' ? `sort=${sort}` : `${filter}&sort=${sort}`)),
  );
}

export const COUNT_QUERIES = [
  'by=severity,reviewStatus,resolutionStatus',
  'by=ruleId,severity&reviewStatus=unreviewed',
  'by=assignee,workItem,snoozed&severity=critical,high',
  'by=severity&ruleId=rule_2',
  'by=reviewStatus&assignee=usr_0',
  'by=agent,categoryKey&workItem=active',
];

const HOUR_MS = 3_600_000;
/** Hours of a series: a hundred days. */
const HOURS = 2_400;

/** Rows of a project's series: each hour of a hundred days, and each of these days. */
export function seriesDocuments(projectId: string): Document[] {
  const row = (grain: 'hour' | 'day', startMs: number) => ({
    _id: `${projectId}/${grain}/${startMs}` as never,
    ...{ projectId, grain, startMs, total: 60 },
    bySeverity: { critical: 1, high: 9, medium: 20, low: 20, info: 10 },
    byRule: Object.fromEntries(Array.from({ length: RULES }, (_, rule) => [`rule_${rule}`, 3])),
    byCategory: Object.fromEntries(Array.from({ length: 9 }, (_, category) => [`category_${category}`, 6])),
  });
  const firstMs = seriesStartMs();
  return [
    ...Array.from({ length: HOURS }, (_, hour) => row('hour', firstMs + hour * HOUR_MS)),
    ...Array.from({ length: HOURS / 24 }, (_, day) => row('day', firstMs + day * 24 * HOUR_MS)),
  ];
}

export function seriesStartMs(): number {
  return FIRST_AT - (FIRST_AT % (24 * HOUR_MS));
}

export function seriesQueries(): string[] {
  const startMs = seriesStartMs();
  const window = `startMs=${startMs}&endMs=${startMs + HOURS * HOUR_MS}`;
  const week = `startMs=${startMs}&endMs=${startMs + 168 * HOUR_MS}`;
  return [
    ...['', '&by=severity', '&by=ruleId'].flatMap((by) => [
      `${window}&intervalMs=${24 * HOUR_MS}${by}`,
      `${window}&intervalMs=${6 * HOUR_MS}${by}`,
      `${week}&intervalMs=${HOUR_MS}${by}`,
    ]),
  ];
}
