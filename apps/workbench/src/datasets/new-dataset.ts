import type { Api } from '@clew/sdk';
import type { Objective } from '../collection/words.ts';
import type { InputType } from '../imports/import-fields.ts';

export const SOURCES = {
  empty: {
    title: 'Nothing yet',
    text: 'Begin with an empty Dataset, and write Examples by hand or add conversations.',
  },
  file: { title: 'A file', text: 'CSV, JSONL of Clew, or OpenAI fine-tuning lines.' },
  collection: {
    title: 'Conversations',
    text: 'Clew collects Examples by itself: from the last seven days, and from now on.',
  },
} as const;
export type Source = keyof typeof SOURCES;
export const SOURCE_IDS = Object.keys(SOURCES) as Source[];

export const STEPS = ['name', 'source', 'preview'] as const;
export type Step = (typeof STEPS)[number];

/** Dataset that is about to be made. */
export interface NewDataset {
  readonly name: string;
  readonly description: string;
  readonly inputType: InputType;
  readonly source: Source;
  readonly hasFile: boolean;
  readonly objective: Objective | undefined;
  readonly redaction: boolean;
}

export const NEW_DATASET: NewDataset = {
  ...{ name: '', description: '', inputType: 'chat', source: 'empty', hasFile: false },
  ...{ objective: undefined, redaction: true },
};

/** Whether a step is complete. */
export function isComplete(step: Step, { name, source, hasFile, objective }: NewDataset): boolean {
  if (step === 'name') return name.trim() !== '';
  return source === 'empty' || (source === 'file' ? hasFile : objective !== undefined);
}

/** Body of the API. A Dataset that collects begins switched off, so that one may look at what it would take. */
export function bodyOf(given: NewDataset): Api.CreateDatasetData['body'] {
  const { name, description, source, objective, redaction } = given;
  const collects = source === 'collection' && objective !== undefined;
  return {
    name: name.trim(),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    schema: { type: 'chat', version: 1 },
    ...(collects
      ? { collectionObjective: objective, collectionEnabled: false, collectedRedaction: redaction ? 'on' : 'off' }
      : {}),
  };
}
