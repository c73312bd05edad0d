import type { z } from 'zod';
import type { createDocument, ZodOpenApiMediaTypeObject } from 'zod-openapi';

/** Text of each streamed media type whose items have a schema. */
const TEXTS: Readonly<Record<string, string>> = {
  'text/event-stream': 'Server-sent events; the `data` of each is one item (`x-itemSchema`) as JSON',
  'application/jsonl': 'Lines, each one item (`x-itemSchema`) as JSON',
};

/** Content of a stream: a text of items, whose schema is in `itemSchema`. */
export function streamContentOf(mediaType: string, item: z.ZodType): ZodOpenApiMediaTypeObject {
  const description = TEXTS[mediaType];
  if (description === undefined) throw new Error(`Nothing tells what an item of ${mediaType} is`);
  return { schema: { type: 'string', description }, itemSchema: item };
}

type Document = ReturnType<typeof createDocument>;

/** Renames `itemSchema`, which came with OpenAPI 3.2, to the extension that a document of 3.1 may have. */
export function withItemExtensions(document: Document): Document {
  return { ...document, paths: renamed(document.paths) as NonNullable<Document['paths']> };
}

function renamed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(renamed);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name === 'itemSchema' ? 'x-itemSchema' : name, renamed(value)]),
  );
}
