import { MAX_EXAMPLE_BYTES, type Example, type NewExample, type Split } from '@clew/contracts';
import { canonicalJson, type ErrorDetail, readJson } from '@clew/kernel';
import { digestOfContent, type ContentDigest } from './content-digest.ts';
import { exampleSignature } from './example-signature.ts';

/** Whose Examples are meant. */
export interface DatasetKey {
  projectId: string;
  datasetId: string;
}

/** What an Example holds beside its id and its times. */
export type ExampleContent = Pick<Example, 'source' | 'tags' | 'payload'>;

/**
 * One Example as it is stored. Its content is kept as JSON text: a database document could not hold every JSON (depth,
 * names of keys, size of lists of numbers), and an export can write it as it is.
 */
export interface StoredExample extends DatasetKey {
  id: string;
  /** The JSON text of its ExampleContent. */
  body: string;
  derivationKey?: string;
  conversationId?: string;
  /** The split that its tags name. */
  split?: Split;
  /** What near duplicates share, in base64. */
  signature: string;
  /** The version of the Dataset from which on it was so. */
  fromVersion: number;
  createdAt: number;
  updatedAt: number;
}

/**
 * Content that is fit to be written: measured, and hashed for the content id of the Dataset. Its payload is kept as text
 * alone: the objects of a thousand drafts would be most of what an import holds.
 */
export interface ExampleDraft extends Pick<ExampleContent, 'source' | 'tags'> {
  /** The JSON text of its ExampleContent. */
  body: string;
  /** For the content id of the Dataset. */
  digest: ContentDigest;
  /** What near duplicates share. */
  signature: Uint8Array;
}

/** Content that cannot be stored although each of its fields is right. */
export class UnfitExampleError extends Error {
  override readonly name = 'UnfitExampleError';
  /** As in the details of an error, relative to the Example. */
  readonly detail: ErrorDetail;

  constructor(detail: ErrorDetail) {
    super(detail.message);
    this.detail = detail;
  }
}

/** Makes a draft of content that its schema has accepted; throws UnfitExampleError where it is too large. */
export function draftExample({ source, tags, payload }: NewExample): ExampleDraft {
  const content = { payload, source, tags };
  const body = JSON.stringify(content);
  if (Buffer.byteLength(body) > MAX_EXAMPLE_BYTES) {
    throw new UnfitExampleError({ path: '', message: `must not be larger than ${MAX_EXAMPLE_BYTES} bytes` });
  }
  const digest = digestOfContent(canonicalContent(content, body));
  return { source, tags, body, digest, signature: exampleSignature(payload) };
}

/**
 * The text that the content id is made from; it knows neither half a character (\ud800) nor a number such as 1e999. The
 * schema gives members in its order, so that it is the body as a rule.
 */
function canonicalContent(content: ExampleContent, body: string): string {
  try {
    return canonicalJson(content, body);
  } catch {
    throw new UnfitExampleError({ path: 'payload', message: 'must hold only well-formed text and finite numbers' });
  }
}

export function contentOf(stored: Pick<StoredExample, 'body'>): ExampleContent {
  return readJson(stored.body) as ExampleContent;
}

/** The digest of an Example that is stored already. */
export function digestOf(stored: Pick<StoredExample, 'body'>): ContentDigest {
  return digestOfContent(canonicalJson(contentOf(stored), stored.body));
}

/** An Example as callers see it. */
export function exampleView(stored: StoredExample): Example {
  const { id, projectId, datasetId, fromVersion, createdAt, updatedAt } = stored;
  return { id, projectId, datasetId, ...contentOf(stored), version: fromVersion, createdAt, updatedAt };
}

/** A version with what a read of it needs. */
export interface ReadableVersion {
  version: number;
  contentId: string;
  exampleCount: number;
  createdAt: number;
}
