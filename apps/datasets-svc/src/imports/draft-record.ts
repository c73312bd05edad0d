import { NewExample, type ImportFormat, type OnConflict } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { draftExample, UnfitExampleError, type ExampleDraft } from '../examples/example.ts';
import type { Candidate, Refusal } from './import-record.ts';

export interface DraftOptions {
  format: ImportFormat;
  externalRef?: string | undefined;
  onConflict?: OnConflict | undefined;
}

const KEY_DIGITS = 32;

/** A record of a file as an Example that is fit to be written, or why it is refused. */
export function draftRecord(candidate: Candidate, options: DraftOptions): ExampleDraft | Refusal {
  const { line } = candidate;
  const { data, error } = NewExample.safeParse(withSource(candidate, options));
  if (data === undefined) {
    const issue = error.issues[0];
    return { line, path: issue?.path.map(String).join('.') ?? '', reason: issue?.message ?? 'is not valid' };
  }
  try {
    return draftExample(data);
  } catch (unfit) {
    if (unfit instanceof UnfitExampleError) return { line, path: unfit.detail.path, reason: unfit.detail.message };
    throw unfit;
  }
}

/** What a file leaves out of the source: its kind, where it stood, and what a repeated import knows it by. */
function withSource({ line, value }: Candidate, { format, externalRef, onConflict }: DraftOptions): unknown {
  if (!isObject(value)) return value;
  const given = value['source'] ?? {};
  if (!isObject(given)) return value;
  const kind = given['kind'] ?? 'import';
  const source = {
    ...given,
    kind,
    ...(kind === 'import' ? { externalRef: given['externalRef'] ?? externalRef ?? `${format}#${line}` } : {}),
    ...(onConflict === undefined ? {} : { derivationKey: given['derivationKey'] ?? keyOfContent(value) }),
  };
  return { ...value, source };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same for the same line, wherever it stands in the file. */
function keyOfContent(value: object): string {
  return `import:${sha256Hex(textOf(value)).slice(0, KEY_DIGITS)}`;
}

function textOf(value: object): string {
  try {
    return canonicalJson(value);
  } catch {
    // It is about to be refused for the same reason.
    return JSON.stringify(value);
  }
}
