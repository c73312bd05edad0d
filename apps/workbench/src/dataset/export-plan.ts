import { SPLITS, type Split } from '../examples/payload-text.ts';

export const EXPORT_FORMATS = {
  jsonl: { title: 'JSONL of Clew', text: 'Everything there is of each Example; an import takes it back.' },
  csv: { title: 'CSV', text: 'The same in columns, for spreadsheets.' },
  'openai-sft': { title: 'Fine-tuning, OpenAI', text: 'Input and expected answer; those without one are left out.' },
  'openai-dpo': {
    title: 'Preferences, OpenAI',
    text: 'Input, expected and rejected answer; those without both are left out.',
  },
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;
export const EXPORT_FORMAT_IDS = Object.keys(EXPORT_FORMATS) as ExportFormat[];

export const WHOLE = 'all';

/** Choice of what is to be exported. */
export interface ExportPlan {
  readonly format: ExportFormat;
  /** Empty: as it is now. */
  readonly version: string;
  readonly split: Split | typeof WHOLE;
  /** Percentages of train, validation and test for Examples whose tags name no split; empty: none of them. */
  readonly ratio: string;
  readonly includeStale: boolean;
}

export const EXPORT_PLAN: ExportPlan = { format: 'jsonl', version: '', split: WHOLE, ratio: '', includeStale: false };

export interface ExportQuery {
  readonly format: ExportFormat;
  readonly version?: number;
  readonly split?: Split;
  readonly ratio?: string;
  readonly includeStale?: true;
}

/** Why a plan cannot be carried out, by its field. */
export function planProblems({ version, split, ratio }: ExportPlan, latest: number): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  if (version !== '' && !(/^\d{1,15}$/.test(version) && Number(version) <= latest)) {
    problems.set('version', `must be a number from 0 to ${latest}`);
  }
  const parts = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(ratio.replaceAll(/[\s%]/g, ''));
  const sum = (parts ?? []).slice(1).reduce((total, part) => total + Number(part), 0);
  if (split !== WHOLE && ratio.trim() !== '' && sum !== 100) {
    problems.set('ratio', 'must be three percentages that add up to 100, such as 80,10,10');
  }
  return problems;
}

/** Query of the API for a plan. */
export function exportQuery({ format, version, split, ratio, includeStale }: ExportPlan): ExportQuery {
  const ofSplit = SPLITS.find((each) => each === split);
  const given = ratio.replaceAll(/[\s%]/g, '');
  return {
    format,
    ...(version === '' ? {} : { version: Number(version) }),
    ...(ofSplit === undefined ? {} : { split: ofSplit, ...(given === '' ? {} : { ratio: given }) }),
    ...(includeStale ? { includeStale: true as const } : {}),
  };
}

/** Address of an export, below the address of the deployment. */
export function exportPath(projectId: string, datasetId: string, query: ExportQuery): string {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const path = [projectId, datasetId].map(encodeURIComponent);
  return `v1/projects/${path[0]}/datasets/${path[1]}/export?${parameters.toString().replaceAll('%2C', ',')}`;
}

/** Name of the file of an export. */
function exportName(datasetId: string, { format, split }: ExportQuery): string {
  return `${datasetId}${split === undefined ? '' : `-${split}`}.${format === 'csv' ? 'csv' : 'jsonl'}`;
}

/** Command that exports the same. */
export function clewCommand(datasetId: string, query: ExportQuery): string {
  const { format, version, split, ratio, includeStale } = query;
  const options = [
    `--format ${format}`,
    ...(version === undefined ? [] : [`--version ${version}`]),
    ...(split === undefined ? [] : [`--split ${split}`]),
    ...(ratio === undefined ? [] : [`--ratio ${ratio}`]),
    ...(includeStale === undefined ? [] : ['--include-stale']),
    `--output ${exportName(datasetId, query)}`,
  ];
  return `clew datasets export ${datasetId} ${options.join(' ')}`;
}

/** Request that exports the same. */
export function curlCommand(base: string, projectId: string, datasetId: string, query: ExportQuery): string {
  return [
    `curl --fail --output ${exportName(datasetId, query)} \\`,
    '  --header "Authorization: Bearer $CLEW_API_KEY" \\',
    `  "${base}${exportPath(projectId, datasetId, query)}"`,
  ].join('\n');
}

/** Counts the records of an export while it is read, without keeping it. */
export class RecordCounter {
  readonly #isCsv: boolean;
  #lines = 0;
  #isQuoted = false;
  #isLineOpen = false;

  constructor(format: ExportFormat) {
    this.#isCsv = format === 'csv';
  }

  add(text: string): void {
    for (const character of text) {
      // Line ends within quotes belong to the record; a doubled quote opens and closes, and changes nothing.
      if (this.#isCsv && character === '"') this.#isQuoted = !this.#isQuoted;
      if (character === '\n' && !this.#isQuoted) {
        this.#lines += 1;
        this.#isLineOpen = false;
      } else if (character !== '\r') {
        this.#isLineOpen = true;
      }
    }
  }

  /** Records so far, without the header of a CSV. */
  get count(): number {
    const lines = this.#lines + (this.#isLineOpen ? 1 : 0);
    return Math.max(0, this.#isCsv ? lines - 1 : lines);
  }
}
