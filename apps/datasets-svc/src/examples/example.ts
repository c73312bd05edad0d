import { MAX_EXAMPLE_BYTES, type Example, type NewExample, type Split } from '@clew/contracts';
import { canonicalJson, type CursorKey, type ErrorDetail, readJson } from '@clew/kernel';
import { digestOfContent, type ContentDigest } from './content-digest.ts';
import { exampleSignature } from './example-signature.ts';
import { exampleTerms } from './example-terms.ts';

/** Key of the Dataset to which Examples belong. */
export interface DatasetKey {
  projectId: string;
  datasetId: string;
}

/** Content of an Example: all but its id and its times. */
export type ExampleContent = Pick<Example, 'source' | 'tags' | 'payload'>;

/**
 * Stored Example. Its content is kept as JSON text, because a database document cannot hold every JSON value (depth,
 * names of keys, size of lists of numbers), and an export can write the text as it is.
 */
export interface StoredExample extends DatasetKey {
  id: string;
  /** JSON text of its ExampleContent. */
  body: string;
  derivationKey?: string;
  conversationId?: string;
  /** Split that its tags name. */
  split?: Split;
  /** Present if its tags say that it is stale. */
  isStale?: true;
  /** Signature for finding near duplicates, in Base64. */
  signature: string;
  /** Fields by which lists find it; only there where it is written. */
  sought?: SoughtFields;
  /** First version of the Dataset with this content. */
  fromVersion: number;
  createdAt: number;
  updatedAt: number;
}

/** Fields by which lists find an Example. */
export interface SoughtFields {
  sourceKind: ExampleContent['source']['kind'];
  /** Values by which lists find it: see `soughtFields`. */
  facets: string[];
  /** Words of its input and its expected output. */
  terms: string[];
}

/** Facet of every Example. */
export const ANY = '*';

/** Value by which lists find an Example. */
export function facet(kind: 'tag' | 'conversation', value: string): string {
  return `${kind}:${value}`;
}

export function soughtFields({ source, tags, terms }: Pick<ExampleDraft, 'source' | 'tags' | 'terms'>): SoughtFields {
  const { kind: sourceKind, conversationId } = source;
  const facets = [
    ANY,
    ...tags.map((tag) => facet('tag', tag)),
    ...(conversationId === undefined ? [] : [facet('conversation', conversationId)]),
  ];
  return { sourceKind, facets, terms };
}

/** Place of an Example in the list, as a key. */
export function placeKey({ createdAt, id }: Pick<StoredExample, 'createdAt' | 'id'>): CursorKey {
  return [createdAt, id];
}

/**
 * Content that passed all checks, with its size limited and its digest computed. The payload is kept as text only: as
 * objects, the payloads of a thousand drafts would be most of an import's memory.
 */
export interface ExampleDraft extends Pick<ExampleContent, 'source' | 'tags'> {
  /** JSON text of its ExampleContent. */
  body: string;
  /** Digest for the content id of the Dataset. */
  digest: ContentDigest;
  /** Signature for finding near duplicates. */
  signature: Uint8Array;
  /** Words by which it is found. */
  terms: string[];
}

/** Content that cannot be stored although each of its fields is valid. */
export class UnfitExampleError extends Error {
  override readonly name = 'UnfitExampleError';
  /** Detail as in an error answer; its path is relative to the Example. */
  readonly detail: ErrorDetail;

  constructor(detail: ErrorDetail) {
    super(detail.message);
    this.detail = detail;
  }
}

/** Makes a draft of content that its schema has accepted; throws UnfitExampleError if it is too large. */
export function draftExample({ source, tags, payload }: NewExample): ExampleDraft {
  const content = { payload, source, tags };
  const body = JSON.stringify(content);
  if (Buffer.byteLength(body) > MAX_EXAMPLE_BYTES) {
    throw new UnfitExampleError({ path: '', message: `must not be larger than ${MAX_EXAMPLE_BYTES} bytes` });
  }
  const digest = digestOfContent(canonicalContent(content, body));
  return { source, tags, body, digest, signature: exampleSignature(payload), terms: exampleTerms(payload) };
}

/**
 * Text from which the content id is computed. Canonical JSON allows neither lone surrogates (\ud800) nor numbers such
 * as 1e999. The schema gives members in canonical order, so the text usually equals the body.
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

export function digestOf(stored: Pick<StoredExample, 'body'>): ContentDigest {
  return digestOfContent(canonicalJson(contentOf(stored), stored.body));
}

/** Example as callers see it. */
export function exampleView(stored: StoredExample): Example {
  const { id, projectId, datasetId, fromVersion, createdAt, updatedAt } = stored;
  return { id, projectId, datasetId, ...contentOf(stored), version: fromVersion, createdAt, updatedAt };
}

/** Version with the fields that a read of it needs. */
export interface ReadableVersion {
  version: number;
  contentId: string;
  exampleCount: number;
  createdAt: number;
}
