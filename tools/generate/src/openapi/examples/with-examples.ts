import type { createDocument } from 'zod-openapi';
import { createExampleOf, singular, type ExampleOf, type ExampleSchema } from './example-of.ts';
import { GIVEN_ANSWERS, GIVEN_BODIES } from './given.ts';

type Document = ReturnType<typeof createDocument>;

interface MediaType {
  schema?: ExampleSchema;
  example?: unknown;
}

interface Operation {
  operationId?: string;
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
}

/** Kinds of content whose schema says all that an example needs. */
const DESCRIBED: readonly string[] = ['application/json', 'multipart/form-data'];

/**
 * Gives each body that is sent, and each JSON answer of success, one example. Those within schemas, from which it is
 * made, are left out: they would say the same many times.
 */
export function withExamples(document: Document): Document {
  const { schemas = {} } = document.components ?? {};
  const exampleOf = createExampleOf(schemas as Record<string, ExampleSchema>);
  return {
    ...document,
    components: withoutExamples(document.components) as NonNullable<Document['components']>,
    paths: exemplified(document.paths, exampleOf) as NonNullable<Document['paths']>,
    webhooks: exemplified(document.webhooks, exampleOf) as NonNullable<Document['webhooks']>,
  };
}

function exemplified(paths: object = {}, exampleOf: ExampleOf): object {
  return Object.fromEntries(
    Object.entries(paths as Record<string, Record<string, Operation>>).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, ofOperation(path, operation, exampleOf)]),
      ),
    ]),
  );
}

function ofOperation(path: string, operation: Operation, exampleOf: ExampleOf): object {
  const noun = nounOf(path);
  const described = withoutExamples(operation) as Operation;
  const { operationId = '', requestBody, responses } = operation;
  for (const [mediaType, { schema }] of Object.entries(requestBody?.content ?? {})) {
    const sent = described.requestBody?.content[mediaType];
    const given = GIVEN_BODIES[operationId];
    if (sent === undefined) continue;
    if (fits(given, mediaType)) sent.example = given;
    else if (schema !== undefined && DESCRIBED.includes(mediaType)) sent.example = exampleOf(schema, noun);
  }
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const schema = content['application/json']?.schema;
    const answered = described.responses[status]?.content?.['application/json'];
    if (status.startsWith('2') && schema !== undefined && answered !== undefined)
      answered.example = GIVEN_ANSWERS[operationId] ?? exampleOf(schema, noun);
  }
  return described;
}

/** Whether an example that was given is of this media type: lines are given as a text, and everything else as JSON. */
function fits(given: unknown, mediaType: string): boolean {
  if (given === undefined) return false;
  return mediaType === 'application/x-ndjson' ? typeof given === 'string' : mediaType === 'application/json';
}

/** Name of what a path is about: its last part that is no parameter, in the singular. */
function nounOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  return singular(parts.at(-1) ?? '');
}

/** Copy of a part of the document without the examples in its schemas. */
function withoutExamples(node: unknown, isNames = false): unknown {
  if (Array.isArray(node)) return node.map((entry) => withoutExamples(entry));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => isNames || name !== 'example');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutExamples(value, name === 'properties')]));
}
