/** Span of a traced request: one step of its processing, by a process or a call. */
export interface Span {
  readonly traceId: string;
  /** Identifier of this span for the next step, in the format of W3C Trace Context. */
  readonly traceparent: string;
  /** Runs work within the span: its logs, calls and messages belong to it. */
  run<T>(work: () => T): T;
  /** Ends the span, once; the result must contain no conversation text and no secret. */
  end(result?: SpanResult): void;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
  /** Other traces that it is part of, by their `traceparent`. */
  linked?: readonly unknown[];
}

export interface SpanResult {
  /** Name, if it is known only at the end. */
  name?: string;
  attributes?: Attributes;
  hasFailed?: boolean;
}

/** Creates spans, while a process sends its traces to a collector. */
export interface Tracing {
  begin(start: SpanStart): Span | undefined;
  resume(traceparent: unknown, start: SpanStart): Span | undefined;
  current(): Span | undefined;
  stop(): Promise<void>;
}

export interface TracingOptions {
  service: string;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
}
