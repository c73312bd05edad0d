import { createSchemaBreaks, type Schema, type Side } from './schema-breaks.ts';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

interface MediaType {
  schema?: Schema;
  /** Schema of one event or line of a stream. */
  'x-itemSchema'?: Schema;
}

type Content = Readonly<Record<string, MediaType>>;

interface ResponseDescription {
  $ref?: string;
  content?: Content;
  headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, ResponseDescription>>;
}

type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** OpenAPI description as parsed from its file. */
export interface ApiDescription {
  paths: Operations;
  /** Requests that the API makes, by event. */
  webhooks?: Operations;
  components?: object;
}

/**
 * Breaking changes for callers of the released API, and for receivers of its webhooks, one sentence each: removed
 * operations, statuses and members of answers, and narrower requests.
 */
export function breaksOf(released: ApiDescription, current: ApiDescription): string[] {
  const comparison = new Comparison(released, current);
  return [
    ...breaksIn(released.paths, current.paths, (before, after) => comparison.ofOperation(before, after)),
    ...breaksIn(released.webhooks ?? {}, current.webhooks ?? {}, (before, after) =>
      comparison.ofWebhook(before, after),
    ),
  ];
}

function breaksIn(
  released: Operations,
  current: Operations,
  compare: (before: Operation, after: Operation) => string[],
): string[] {
  return Object.entries(released).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const now = current[path]?.[method];
      const breaks = now === undefined ? ['is gone'] : compare(operation, now);
      return breaks.map((text) => `${method.toUpperCase()} ${path}: ${text}`);
    }),
  );
}

class Comparison {
  readonly #released: ApiDescription;
  readonly #current: ApiDescription;
  readonly #ofSchemas: ReturnType<typeof createSchemaBreaks>;

  constructor(released: ApiDescription, current: ApiDescription) {
    this.#released = released;
    this.#current = current;
    this.#ofSchemas = createSchemaBreaks(
      (ref) => resolved(released, ref),
      (ref) => resolved(current, ref),
    );
  }

  ofOperation(before: Operation, after: Operation): string[] {
    return [
      ...this.#ofParameters(before.parameters ?? [], after.parameters ?? []),
      ...this.#ofBody(before.requestBody, after.requestBody),
      ...Object.entries(before.responses).flatMap(([status, response]) => {
        const now = after.responses[status];
        return now === undefined ? [`${status} is gone`] : this.#ofResponse(status, response, now);
      }),
    ];
  }

  /** Compares requests that the API makes: their receivers rely on every member, as callers do on those of answers. */
  ofWebhook(before: Operation, after: Operation): string[] {
    const sent = (operation: Operation) =>
      new Set((operation.parameters ?? []).map(({ in: where, name }) => `${where} ${name}`));
    const now = sent(after);
    return [
      ...[...sent(before)].filter((place) => !now.has(place)).map((place) => `${place}: is gone`),
      ...this.#ofContent('response', before.requestBody?.content ?? {}, after.requestBody?.content ?? {}, 'body'),
      ...Object.keys(before.responses)
        .filter((status) => !(status in after.responses))
        .map((status) => `${status} is gone`),
    ];
  }

  #ofParameters(before: readonly Parameter[], after: readonly Parameter[]): string[] {
    const find = (all: readonly Parameter[], { in: where, name }: Parameter) =>
      all.find((each) => each.in === where && each.name === name);
    const breaks = before.flatMap((parameter) => {
      const now = find(after, parameter);
      const place = `${parameter.in} ${parameter.name}`;
      if (now === undefined) return [`${place}: is gone`];
      return this.#ofSchemas({ side: 'request', released: parameter.schema, current: now.schema, place });
    });
    const demanded = after.filter((each) => each.required === true && find(before, each)?.required !== true);
    return [...breaks, ...demanded.map(({ in: where, name }) => `${where} ${name}: is required now`)];
  }

  #ofBody(before: Operation['requestBody'], after: Operation['requestBody']): string[] {
    const breaks = after?.required === true && before?.required !== true ? ['the body: is required now'] : [];
    if (before === undefined) return breaks;
    if (after === undefined) return ['the body: is gone'];
    return [...breaks, ...this.#ofContent('request', before.content, after.content, 'body')];
  }

  #ofResponse(status: string, before: ResponseDescription, after: ResponseDescription): string[] {
    const [response, now] = [described(this.#released, before), described(this.#current, after)];
    const headers = Object.keys(response.headers ?? {}).filter((name) => !(name in (now.headers ?? {})));
    return [
      ...headers.map((name) => `${status} header ${name}: is gone`),
      ...this.#ofContent('response', response.content ?? {}, now.content ?? {}, status),
    ];
  }

  #ofContent(side: Side, before: Content, after: Content, place: string): string[] {
    return Object.entries(before).flatMap(([type, released]) => {
      const current = after[type];
      if (current === undefined) return [`${place}: ${type} is gone`];
      const [item, itemNow] = [released['x-itemSchema'], current['x-itemSchema']];
      return [
        ...this.#ofSchemas({ side, released: schemaOf(type, released), current: schemaOf(type, current), place }),
        ...(item === undefined
          ? []
          : this.#ofSchemas({ side, released: item, current: itemNow ?? {}, place: `${place}, an item` })),
      ];
    });
  }
}

/** Schema of a body. Content that is streamed is a text, whether its description says so or has no schema at all. */
function schemaOf(mediaType: string, { schema }: MediaType): Schema {
  return schema ?? (STREAMED.includes(mediaType) ? { type: 'string' } : {});
}

const STREAMED: readonly string[] = ['text/event-stream', 'application/jsonl', 'application/x-ndjson'];

function described(document: ApiDescription, response: ResponseDescription): ResponseDescription {
  return response.$ref === undefined ? response : (resolved(document, response.$ref) as ResponseDescription);
}

function resolved(document: ApiDescription, ref: string): unknown {
  const names = ref.replace(/^#\//, '').split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
}
