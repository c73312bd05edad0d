import type { Delimiter } from './csv.ts';
import { mappingQuery, suggestedMapping, type InputType, type Mapping } from './import-fields.ts';
import {
  csvPreview,
  delimiterOfFile,
  formatOf,
  headerOf,
  linesPreview,
  type FileHead,
  type ImportFormat,
  type PreviewRow,
} from './import-preview.ts';

export const CONFLICTS = {
  skip: 'Leave the Example that is there',
  update: 'Replace the Example that is there',
  fail: 'Refuse the line',
  keep: 'Keep both',
} as const;
export type Conflict = keyof typeof CONFLICTS;
export const CONFLICT_IDS = Object.keys(CONFLICTS) as Conflict[];

/** How a file is to be read. */
export interface ImportPlan {
  readonly format: ImportFormat;
  readonly delimiter: Delimiter;
  readonly mapping: Mapping;
  readonly conflict: Conflict;
}

/** Plan for a file, as its name and its beginning suggest it. */
export function planOf(head: FileHead, inputType: InputType): ImportPlan {
  const delimiter = delimiterOfFile(head);
  const mapping = suggestedMapping(headerOf(head, delimiter), inputType);
  return { format: formatOf(head), delimiter, mapping, conflict: 'skip' };
}

/** Plan with another delimiter, for which the columns are looked at anew. */
export function withDelimiter(plan: ImportPlan, head: FileHead, delimiter: Delimiter, type: InputType): ImportPlan {
  return { ...plan, delimiter, mapping: suggestedMapping(headerOf(head, delimiter), type) };
}

/** First rows of a file as a plan has them. */
export function previewOf(head: FileHead, { format, delimiter, mapping }: ImportPlan): PreviewRow[] {
  return format === 'csv' ? csvPreview(head, delimiter, mapping) : linesPreview(head, format);
}

/** Query of the API for a plan. */
export function importQuery(head: FileHead, { format, delimiter, mapping, conflict }: ImportPlan) {
  const ofCsv = { delimiter, mapping: mappingQuery(headerOf(head, delimiter), mapping) };
  return { format, ...(format === 'csv' ? ofCsv : {}), onConflict: conflict === 'keep' ? undefined : conflict };
}
