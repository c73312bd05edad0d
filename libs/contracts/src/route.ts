import type { z } from 'zod';
import type { ErrorCode } from '@clew/kernel';
import type { AccessRule } from './access.ts';
import type { ServiceName } from './services.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Class that determines the maximum size of a body and the maximum duration of a call; the gateway and the services
 * read the figures from their configuration. `audio` and `stream` bodies are never buffered.
 */
export type RouteClass = 'json' | 'batch' | 'otlp' | 'inference' | 'audio' | 'stream';

/** Body that its handler writes piece by piece: a file, events, the answer of another server. */
export interface StreamedBody<Content extends StreamedContent = StreamedContent> {
  readonly streamed: true;
  readonly content: Content;
}

/**
 * Schemas by media type: of one event or line, or of the whole body if it comes at once. Null stands for bytes, and for
 * what another server answers.
 */
export type StreamedContent = Readonly<Record<string, z.ZodType | null>>;

/** Declares a streamed answer with its media types. */
export function streamed<const Content extends StreamedContent>(content: Content): StreamedBody<Content> {
  return { streamed: true, content };
}

export function isStreamed(response: ResponseSchema | undefined): response is StreamedBody {
  return response != null && 'streamed' in response;
}

/** A response body schema, or null for an empty body. */
export type ResponseSchema = z.ZodType | StreamedBody | null;

/** Headers of an answer, each with its description. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export interface RouteSpec {
  readonly operationId: string;
  /** Name of its method in the SDK, below the resources: `findings.list`. Routes that only browsers follow have none. */
  readonly sdk?: string;
  /** Service that answers the route; the gateway forwards the call there. */
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
  /** Whether others choose the query, so that a repeated parameter is no error; the first one counts. */
  readonly takesAnyQuery?: boolean;
  /**
   * Schema of the body. Absent: no body is read. For `otlp`, `audio` and `stream` routes the handler reads it itself.
   */
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, ResponseSchema>>;
  /** Body schemas by media type, if the handler itself reads the body; null: bytes in that format. */
  readonly ownBody?: Readonly<Record<string, z.ZodType | null>>;
  /** Errors in addition to those of any route of its kind (`errorsOf`). */
  readonly errors?: readonly ErrorCode[];
  /** `openai`: error bodies have the form that clients of the OpenAI API read. */
  readonly errorFormat?: 'openai';
  /** Code for an invalid query, if the specification names one (`INVALID_FILTER`). */
  readonly invalidQueryCode?: 'INVALID_FILTER';
  /**
   * Field messages that the specification prescribes word for word: if such a check fails, the error has that message.
   */
  readonly verbatimMessages?: readonly string[];
  /** Whether an `Idempotency-Key` is honored: a repeated request gets the first answer again. */
  readonly idempotent?: boolean;
  /**
   * Whether an `Idempotency-Key` identifies the created object, so that a repeat returns that object; the handler does
   * this.
   */
  readonly namedByKey?: boolean;
  /** Whether the answer has a strong `ETag`; a route that changes something also honors `If-Match`. */
  readonly conditional?: boolean;
  /**
   * Whether a public route gives or takes the cookie of a browser, so that it takes requests of this deployment's own
   * pages only. Calls that a session authenticates are held to that anyway.
   */
  readonly sameOrigin?: true;
  /** Maximum body, if it is smaller than that of the class. */
  readonly maxBodyBytes?: number;
  /** Whether a POST changes the object that its path names, like a PATCH; `If-Match` then refers to that object. */
  readonly changesNamed?: boolean;
  /** Member of the answer that says whether work that was asked for has ended, with the values that say so. */
  readonly ended?: { readonly member: string; readonly values: readonly string[] };
  /** Headers of its answers in addition to the common ones. */
  readonly responseHeaders?: ResponseHeaders;
}

/** Input of a handler: the parsed parts of the request. */
export interface RouteInput<Spec extends RouteSpec> {
  params: Spec['params'] extends z.ZodType ? z.output<Spec['params']> : Record<string, never>;
  query: Spec['query'] extends z.ZodType ? z.output<Spec['query']> : Record<string, never>;
  body: Spec['body'] extends z.ZodType ? z.output<Spec['body']> : undefined;
}

/** Result of a handler: one of the route's statuses with its body, or `STREAMED` if it wrote the answer itself. */
export type RouteOutput<Spec extends RouteSpec> = {
  [Status in keyof Spec['responses'] & number]: Spec['responses'][Status] extends StreamedBody
    ? typeof STREAMED | JsonAnswer<Status, JsonOf<Spec['responses'][Status]>>
    : JsonAnswer<Status, Spec['responses'][Status] extends z.ZodType ? z.input<Spec['responses'][Status]> : null>;
}[keyof Spec['responses'] & number];

/** Result of a handler that has written the answer itself. */
export const STREAMED = Object.freeze({ streamed: true as const });

interface JsonAnswer<Status, Body> {
  status: Status;
  body: Body;
  headers?: Readonly<Record<string, string>>;
}

/** Body of an answer that is JSON for one caller and a stream for another. */
type JsonOf<Response extends StreamedBody> = Response['content'] extends { 'application/json': infer Schema }
  ? Schema extends z.ZodType
    ? z.input<Schema>
    : never
  : never;

/** Declares a route. One declaration gives validation, handler types, access, OpenAPI and the client. */
export function defineRoute<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec;
}
