import type { z } from 'zod';
import type { ErrorCode } from '@clew/kernel';
import type { AccessRule } from './access.ts';
import type { ServiceName } from './services.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * How large a body may be and how long a call may take; the gateway and the services read the figures from their
 * configuration. `audio` and `stream` bodies are never buffered.
 */
export type RouteClass = 'json' | 'batch' | 'otlp' | 'inference' | 'audio' | 'stream';

/** A body that its handler writes as it comes: a file, events, the answer of somebody else. */
export interface StreamedBody<Content extends StreamedContent = StreamedContent> {
  readonly streamed: true;
  readonly content: Content;
}

/** By media type; where a schema is known, of one event or line, or of the whole where it comes at once. */
export type StreamedContent = Readonly<Record<string, z.ZodType | null>>;

/** Declares an answer that is streamed, by its media types. */
export function streamed<const Content extends StreamedContent>(content: Content): StreamedBody<Content> {
  return { streamed: true, content };
}

export function isStreamed(response: ResponseSchema | undefined): response is StreamedBody {
  return response != null && 'streamed' in response;
}

/** A response body schema, or null for an empty body. */
export type ResponseSchema = z.ZodType | StreamedBody | null;

/** A header of an answer, with what it tells. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export interface RouteSpec {
  readonly operationId: string;
  /** Who answers it; the gateway forwards it there. */
  readonly service: ServiceName;
  readonly method: HttpMethod;
  /** Express syntax, from the root: `/v1/projects/:projectId/conversations`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: AccessRule;
  /** Defaults to `json`. */
  readonly routeClass?: RouteClass;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Absent: no body is read. For `otlp`, `audio` and `stream` routes the handler reads the request itself. */
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, ResponseSchema>>;
  /** What a handler that reads the body by itself takes, by media type; null: bytes in that format. */
  readonly ownBody?: Readonly<Record<string, z.ZodType | null>>;
  /** What it can answer beside the errors of any route of its kind (`errorsOf`). */
  readonly errors?: readonly ErrorCode[];
  /** `openai`: errors have the body that clients of the OpenAI API read. */
  readonly errorFormat?: 'openai';
  /** The code of a refused query, where the specification names one (`INVALID_FILTER`). */
  readonly invalidQueryCode?: 'INVALID_FILTER';
  /** Messages of fields that the specification gives word for word: the error's own message, where one of them fails. */
  readonly verbatimMessages?: readonly string[];
  /** Whether an `Idempotency-Key` is honoured: the repeat of a request gets the first answer again. */
  readonly idempotent?: boolean;
  /** Whether an `Idempotency-Key` names what is made, so that a repeat is answered with that: its handler sees to it. */
  readonly namedByKey?: boolean;
  /** Whether the answer has a strong `ETag`; on a route that changes something, `If-Match` is honoured too. */
  readonly conditional?: boolean;
  /** Whether a POST changes what its path names, as a PATCH does: `If-Match` is of that. */
  readonly changesNamed?: boolean;
  /** Headers of its answers beside the common ones. */
  readonly responseHeaders?: ResponseHeaders;
}

/** What a handler gets: the parsed parts of the request. */
export interface RouteInput<Spec extends RouteSpec> {
  params: Spec['params'] extends z.ZodType ? z.output<Spec['params']> : Record<string, never>;
  query: Spec['query'] extends z.ZodType ? z.output<Spec['query']> : Record<string, never>;
  body: Spec['body'] extends z.ZodType ? z.output<Spec['body']> : undefined;
}

/** What a handler gives back: one of the route's statuses with its body, or `STREAMED` where it wrote the answer. */
export type RouteOutput<Spec extends RouteSpec> = {
  [Status in keyof Spec['responses'] & number]: Spec['responses'][Status] extends StreamedBody
    ? typeof STREAMED | JsonAnswer<Status, JsonOf<Spec['responses'][Status]>>
    : JsonAnswer<Status, Spec['responses'][Status] extends z.ZodType ? z.input<Spec['responses'][Status]> : null>;
}[keyof Spec['responses'] & number];

/** Says that the handler has written the answer itself. */
export const STREAMED = Object.freeze({ streamed: true as const });

interface JsonAnswer<Status, Body> {
  status: Status;
  body: Body;
  headers?: Readonly<Record<string, string>>;
}

/** The body of an answer that is JSON for one caller and a stream for another. */
type JsonOf<Response extends StreamedBody> = Response['content'] extends { 'application/json': infer Schema }
  ? Schema extends z.ZodType
    ? z.input<Schema>
    : never
  : never;

/** Declares a route. One declaration gives validation, handler types, access, OpenAPI and the client. */
export function defineRoute<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec;
}
