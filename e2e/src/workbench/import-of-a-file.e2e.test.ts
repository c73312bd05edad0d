import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { Example } from '@clew/contracts';
import { settled, type Hands, type LocalFile, type Person, type Thing } from '@clew/browser';
import { allExamples, createTestDataset, textsOf } from '../support/datasets.ts';
import { createTestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const ROWS = 8;
/** Rows that say nothing, and so make no Example. */
const WRONG = [3, 5, 8];
const REPORT: Thing = { role: 'region', name: 'What came of it' };

const button = (name: string): Thing => ({ role: 'button', name });
const column = (name: string): Thing => ({ role: 'combobox', name });

/** File as a team keeps it: with names of its own for the columns. */
function csv(wrong: readonly number[]): LocalFile {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const question = wrong.includes(at + 1) ? '' : `Where is parcel ${at + 1}?`;
    return `row-${at + 1},${question},"On its way, since Monday"`;
  });
  const text = ['key,customer says,we say', ...rows, ''].join('\n');
  return { name: 'answers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

async function mapColumns(hands: Hands): Promise<void> {
  await hands.choose(column('key'), 'Source: reference');
  await hands.choose(column('customer says'), 'Input: text');
  await hands.choose(column('we say'), 'Expected: text');
}

const figure = ({ page }: Person, name: string) =>
  page
    .getByRole('region', { name: REPORT.name })
    .locator('dl > div')
    .filter({ hasText: name })
    .locator('dd')
    .innerText();

async function figures(person: Person): Promise<Record<string, string>> {
  const names = ['Imported', 'Updated', 'Skipped, were there', 'Refused'];
  const values = await Promise.all(names.map((name) => figure(person, name)));
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/** Chooses the file, says what its columns are, and imports it; resolves once the page tells what came of it. */
async function importFile(person: Person, hands: Hands, file: LocalFile, refusedInPreview: number): Promise<void> {
  await hands.attach(button('File with Examples'), file);
  await mapColumns(hands);
  const told = refusedInPreview === 0 ? /8 rows, as they will be read/ : /8 rows, of which 3 would be refused/;
  await person.page.getByText(told).waitFor();
  await hands.press(button('Import the file'));
  await person.page.getByRole('region', { name: REPORT.name }).waitFor();
}

describe.each(HANDS)('the import of a file %s', (name, handsOf) => {
  it(
    'maps the columns of a CSV, says before what would be refused and after what was, gives the refused lines as a file, and takes the mended file without doubles',
    async () => {
      const project = await createTestProject(`import ${name}`);
      const { dataset, path } = await createTestDataset(project);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/datasets/${dataset.id}?tab=import`);

      await importFile(person, hands, csv(WRONG), WRONG.length);
      expect(await figures(person)).toEqual({
        ...{ Imported: '5', Updated: '0', 'Skipped, were there': '0', Refused: '3' },
      });
      const download = person.page.waitForEvent('download');
      await hands.press(button('Download as CSV'));
      const lines = await text(await (await download).createReadStream());
      const refused = lines.trim().split(/\r?\n/).slice(1);
      // The first line of the file names the columns.
      expect(refused.map((line) => Number(line.split(',')[0]))).toEqual(WRONG.map((row) => row + 1));

      await hands.press(button('Import another file'));
      await focusIsKept(person);
      await importFile(person, hands, csv([]), 0);
      expect(await figures(person)).toEqual({
        ...{ Imported: '3', Updated: '0', 'Skipped, were there': '5', Refused: '0' },
      });
      await hands.press(button('Show the Examples'));
      await settled(person.page, person.watch);
      expect(await person.page.locator('[role="grid"] [role="row"][aria-rowindex]').count()).toBe(ROWS + 1);
      const examples: Example[] = await allExamples(project, path);
      expect(textsOf(examples)).toEqual(Array.from({ length: ROWS }, (_, at) => `Where is parcel ${at + 1}?`));
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
