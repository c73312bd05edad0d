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

/** Makes a draft of a record, or returns the reason why the record is refused. */
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

/**
 * Completes the source of a record: its kind, its place in the file, and the key by which a repeated import finds it.
 */
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

/** Key derived from the content: the same for equal lines, wherever they stand in the file. */
function keyOfContent(value: object): string {
  return `import:${sha256Hex(textOf(value)).slice(0, KEY_DIGITS)}`;
}

function textOf(value: object): string {
  try {
    return canonicalJson(value);
  } catch {
    // Such a record is refused for the same reason later on.
    return JSON.stringify(value);
  }
}
