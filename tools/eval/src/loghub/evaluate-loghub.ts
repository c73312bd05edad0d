import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskVariables } from '@clew/rules';
import { rounded } from '../figures/resample.ts';
import { groupingAccuracy } from './grouping-accuracy.ts';
import { readCsv } from './read-csv.ts';

/**
 * Measures how well the cluster signature groups log messages whose groups are known, by system. The folder has the
 * layout of loghub: `<System>/<System>_2k.log_structured.csv` with the columns Content and EventId.
 */
export function evaluateLoghub(folder: string): object {
  const systems = readdirSync(folder).filter((system) => existsSync(fileOf(folder, system)));
  if (systems.length === 0) throw new Error(`${folder} holds no <System>/<System>_2k.log_structured.csv`);
  const accuracies = systems.toSorted().map((system): [string, number] => {
    const rows = readCsv(readFileSync(fileOf(folder, system), 'utf8'));
    const groups = rows.map(({ Content = '', EventId = '' }) => ({ given: maskVariables(Content), known: EventId }));
    return [system, groupingAccuracy(groups)];
  });
  const mean = accuracies.reduce((sum, [, accuracy]) => sum + accuracy, 0) / accuracies.length;
  return {
    systems: accuracies.length,
    meanGroupingAccuracy: rounded(mean),
    bySystem: Object.fromEntries(accuracies.map(([system, accuracy]) => [system, rounded(accuracy)])),
  };
}

function fileOf(folder: string, system: string): string {
  return join(folder, system, `${system}_2k.log_structured.csv`);
}
