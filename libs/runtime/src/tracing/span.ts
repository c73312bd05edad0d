/** A step of one request that is traced: what a process, or a call of one, did for it. */
export interface Span {
  readonly traceId: string;
  /** Names this step to whoever goes on with the trace, as W3C Trace Context writes it. */
  readonly traceparent: string;
  /** What the work logs, calls and publishes belongs to this step. */
  run<T>(work: () => T): T;
  /** Once; what is told with it must hold no word of a conversation, and no secret. */
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
  /** Where it is known only at the end. */
  name?: string;
  attributes?: Attributes;
  hasFailed?: boolean;
}

/** What makes spans, while a process tells its traces to a collector. */
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
