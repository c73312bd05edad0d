/** Members of an API schema that are used here. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  [keyword: string]: unknown;
}

/** Value written as a string or as a number. */
const TEXT_OR_NUMBER: Schema = { oneOf: [{ type: 'string' }, { type: 'number' }] };
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** Refuses members that the schema does not know, which an API server would drop silently. */
export function strict(schema: Schema): Schema {
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return TEXT_OR_NUMBER;
  const { properties, additionalProperties, items } = schema;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapValues(properties, strict) }),
    ...(properties === undefined || isOpen ? {} : { additionalProperties: false }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: strict(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: strict(items) }),
  };
}

/** All definitions of Kubernetes' own API, made strict. */
export function strictDefinitions(definitions: Record<string, Schema>): Record<string, Schema> {
  return { ...mapValues(definitions, strict), [QUANTITY]: TEXT_OR_NUMBER };
}

function mapValues<From, To>(object: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
