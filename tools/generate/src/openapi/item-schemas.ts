import type { z } from 'zod';
import type { createDocument, ZodOpenApiMediaTypeObject } from 'zod-openapi';

/** Content of a stream, whose items have the schema in `itemSchema`. */
export function streamContentOf(mediaType: string, item: z.ZodType): ZodOpenApiMediaTypeObject {
  // Readers of OpenAPI 3.1 take the schema of an event stream for that of one event with its fields, so it has none.
  if (mediaType === 'text/event-stream') return { itemSchema: item };
  const description = 'Lines, each one item (`x-itemSchema`) as JSON';
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
