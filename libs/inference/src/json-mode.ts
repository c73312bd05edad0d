import { z } from 'zod';
import type { ModelCapabilities } from '@clew/contracts';

/**
 * How a model is made to answer in JSON: held to the schema by its provider, held to some JSON object and shown the
 * schema, or only shown it.
 */
export type JsonMode = 'schema' | 'object' | 'prompt';

/** The best mode of a model; of one that could not be looked at, that which most have. */
export function jsonModeOf(capabilities: Pick<ModelCapabilities, 'jsonMode' | 'jsonSchema'> | null): JsonMode {
  if (capabilities === null) return 'object';
  if (capabilities.jsonSchema) return 'schema';
  return capabilities.jsonMode ? 'object' : 'prompt';
}

/** The members of a request that ask for the mode. */
export function responseFormat(mode: JsonMode, schema: z.ZodType): Record<string, unknown> {
  if (mode === 'prompt') return {};
  if (mode === 'object') return { response_format: { type: 'json_object' } };
  const wire = shapeOf(jsonSchemaOf(schema));
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: wire } } };
}

export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/** What providers refuse in strict mode, or make huge grammars of; the answer is checked against it all the same. */
const BOUNDS = new Set([
  '$schema',
  'default',
  'format',
  'pattern',
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

/** The schema without its bounds: members, types and choices. Names of members are no keywords. */
function shapeOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === 'properties' ? membersOf(value) : shapeOf(value)]),
  );
}

function membersOf(properties: unknown): unknown {
  const entries = Object.entries((properties ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, shapeOf(schema)]));
}
