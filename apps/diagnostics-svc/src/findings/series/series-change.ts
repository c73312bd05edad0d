import { SEVERITIES } from '@clew/contracts';
import { GRAINS, type Grain } from './series.model.ts';

/** Occurrence as far as a series counts it. */
export interface Counted {
  projectId: string;
  conversationStartedAt: number;
  severityRank: number;
  ruleId: string;
  categoryKey: string;
}

/** Change of one row: what is to be added to each of its counts, without zeros. */
export interface RowChange {
  projectId: string;
  grain: Grain;
  startMs: number;
  /** By path in the row, such as `bySeverity.high`. */
  counts: ReadonlyMap<string, number>;
}

/** Changes of rows for occurrences that came and went; what comes and goes again changes nothing. */
export function rowChanges(came: readonly Counted[], went: readonly Counted[]): RowChange[] {
  const rows = new Map<string, RowChange & { counts: Map<string, number> }>();
  const count = (occurrence: Counted, by: 1 | -1) => {
    for (const grain of Object.keys(GRAINS) as Grain[]) {
      const { projectId, conversationStartedAt } = occurrence;
      const startMs = conversationStartedAt - (conversationStartedAt % GRAINS[grain]);
      const key = `${projectId}/${grain}/${startMs}`;
      const row = rows.get(key) ?? { projectId, grain, startMs, counts: new Map<string, number>() };
      rows.set(key, row);
      for (const path of pathsOf(occurrence)) row.counts.set(path, (row.counts.get(path) ?? 0) + by);
    }
  };
  for (const occurrence of came) count(occurrence, 1);
  for (const occurrence of went) count(occurrence, -1);
  return [...rows.values()]
    .map((row) => ({ ...row, counts: new Map([...row.counts].filter(([, change]) => change !== 0)) }))
    .filter(({ counts }) => counts.size > 0);
}

function pathsOf({ severityRank, ruleId, categoryKey }: Counted): string[] {
  return [
    'total',
    `bySeverity.${SEVERITIES[severityRank] ?? 'info'}`,
    `byRule.${nameOf(ruleId)}`,
    `byCategory.${nameOf(categoryKey)}`,
  ];
}

/** Name of a field: a dot would make a path of it, and a dollar sign an operator. */
function nameOf(key: string): string {
  return key.replaceAll(/[.$]/g, '_');
}
