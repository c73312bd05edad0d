import type { MessageOrigin } from '@clew/contracts';
import { flattenedLists } from './flattened.ts';
import type { SpanFacts, StoredSpan } from './span-reading.ts';
import { isRecord, structured, wellFormed, type JsonRecord } from './values.ts';

/** Attribute with which an application marks the origin of a span's text, whatever the kind of the span. */
const MARK = 'clew.origin';
const RESULT_EVENT = 'db.query.result';
/** Maximum number of texts that are examined per span. */
const MAX_TEXTS = 500;
const MAX_UNWRAPPING = 4;

/**
 * Tells whether the output of a span was retrieved, or recalled from what was learned before; undefined if neither. A
 * search in a memory recalls. Retrieval means that a span retrieves or ranks documents, queries a vector store, or runs
 * a tool of the type that stands for stored data.
 */
export function lookedUpBy(span: StoredSpan, { kind, operation }: SpanFacts): MessageOrigin | undefined {
  if (kind === 'model_call' || kind === 'agent') return undefined;
  const { attributes, events } = span;
  const mark = attributes[MARK];
  if (mark === 'retrieved' || mark === 'recalled') return mark;
  if (operation === 'search_memory') return 'recalled';
  const isLookup =
    kind === 'retrieval' ||
    attributes['gen_ai.tool.type'] === 'datastore' ||
    events.some(({ name }) => name === RESULT_EVENT);
  return isLookup ? 'retrieved' : undefined;
}

const DOCUMENT_LISTS = ['retrieval.documents', 'reranker.output_documents'] as const;
const DOCUMENT_ATTRIBUTES = [
  'gen_ai.retrieval.documents',
  'gen_ai.memory.records',
  'langfuse.observation.output',
  'traceloop.entity.output',
  'output.value',
];

/** Collects the texts that a span looked up, in any dialect. Those of a tool's run are its result. */
export function lookedUpTexts({ attributes, events }: StoredSpan): string[] {
  const lists = flattenedLists(attributes, DOCUMENT_LISTS);
  const texts = DOCUMENT_LISTS.flatMap((list) => lists.get(list) ?? []).map((item) => item.get('document.content'));
  for (const { name, attributes: result } of events) {
    if (name === RESULT_EVENT) texts.push(result['db.query.result.document']);
  }
  const found = texts.filter(isText);
  if (found.length > 0) return found.slice(0, MAX_TEXTS).map(wellFormed);
  const value = DOCUMENT_ATTRIBUTES.map((key) => attributes[key]).find((item) => item !== undefined && item !== null);
  return textsIn(structured(value) ?? value, 0)
    .slice(0, MAX_TEXTS)
    .map(wellFormed);
}

const TEXT_FIELDS = ['content', 'page_content', 'pageContent', 'text'];
const LIST_FIELDS = ['documents', 'results', 'matches', 'records', 'output', 'nodes'];
const WRAPPERS = ['document', 'kwargs', 'node', 'metadata'];

/** Collects the documents of a list or of a record with a list, or the single text. */
function textsIn(value: unknown, depth: number): string[] {
  if (isText(value)) return [value];
  if (depth > MAX_UNWRAPPING) return [];
  if (Array.isArray(value)) return value.slice(0, MAX_TEXTS).flatMap((item) => textsIn(item, depth + 1));
  if (!isRecord(value)) return [];
  const text = TEXT_FIELDS.map((field) => value[field]).find(isText);
  if (text !== undefined) return [text];
  return textsIn(firstOf(value, LIST_FIELDS) ?? firstOf(value, WRAPPERS), depth + 1);
}

function firstOf(record: JsonRecord, fields: readonly string[]): unknown {
  return fields.map((field) => record[field]).find((item) => typeof item === 'object' && item !== null);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
