import { describe, expect, it } from '@jest/globals';
import { isStreamed, type RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { z } from 'zod';
import { openApiDocument } from '../document.ts';

type Content = Record<string, { example?: unknown }>;
interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, Operation>>;
};
/** Bodies that are bytes, or what another API defines. */
const WITHOUT = ['text/csv', 'application/octet-stream', 'application/x-protobuf', 'application/x-www-form-urlencoded'];

/** Schemas of the bodies that a route takes, by media type. */
function sentTo({ body, ownBody = {} }: RouteSpec): [string, z.ZodType | null][] {
  return body === undefined ? Object.entries(ownBody) : [['application/json', body]];
}

/** Schemas of the JSON answers of a route that has succeeded, by status. */
function answersOf({ responses }: RouteSpec): [string, z.ZodType][] {
  return Object.entries(responses).flatMap(([status, response]): [string, z.ZodType][] => {
    const schema = isStreamed(response) ? response.content['application/json'] : response;
    return schema == null ? [] : [[status, schema]];
  });
}

/** Holds answers to their declared members alone: a member that the contract does not know would be a mistake. */
function asSent(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema;
}

describe.each(publicRoutes())('the example of $operationId', (spec) => {
  const operation = document.paths[spec.path.replace(/:(\w+)/g, '{$1}')]![spec.method]!;

  it('that is sent is one that is taken', () => {
    for (const [mediaType, schema] of sentTo(spec)) {
      if (WITHOUT.includes(mediaType)) continue;
      const { example } = operation.requestBody!.content[mediaType]!;
      expect(example).toBeDefined();
      if (schema !== null) expect(schema.safeParse(example).error?.issues).toBeUndefined();
    }
  });

  it('that is answered is one that may be answered', () => {
    for (const [status, schema] of answersOf(spec)) {
      const { example } = operation.responses[status]!.content!['application/json']!;
      expect(example).toBeDefined();
      expect(asSent(schema).safeParse(example).error?.issues).toBeUndefined();
    }
  });
});
