import { z } from 'zod';
import type { ServiceName } from '../services.ts';

export type MessageKind = 'event' | 'command' | 'result';

/** The exchange that carries each kind of message (design, section 4). */
export const EXCHANGE_OF_KIND: Readonly<Record<MessageKind, string>> = {
  event: 'clew.events',
  command: 'clew.commands',
  result: 'clew.results',
};

/** Declares a message: its routing key is `<type>.v<version>`. */
export interface MessageSpec<Data extends z.ZodType = z.ZodType> {
  readonly kind: MessageKind;
  /** `<area>.<subject>.<what happened or is asked>`. */
  readonly type: string;
  readonly version: number;
  /** Who may publish it; the broker gives nobody else the right to. */
  readonly publishedBy: readonly ServiceName[];
  /** Of whom every replica hears it while it runs, on a queue that lives as long; durable queues have a table of theirs. */
  readonly heardBy?: readonly ServiceName[];
  /** A later version has taken its place: nobody publishes it any more, and what is left of it in queues is taken. */
  readonly superseded?: true;
  readonly data: Data;
}

export interface Envelope<Data> {
  /** Unique per message; consumers record it in their inbox. */
  id: string;
  type: string;
  version: number;
  /** Unix epoch milliseconds. */
  occurredAt: number;
  projectId: string;
  requestId: string | null;
  data: Data;
}

export type EnvelopeOf<Spec extends MessageSpec> = Envelope<z.output<Spec['data']>>;

export function defineMessage<Data extends z.ZodType>(spec: MessageSpec<Data>): MessageSpec<Data> {
  return spec;
}

export function routingKeyOf(spec: Pick<MessageSpec, 'type' | 'version'>): string {
  return `${spec.type}.v${spec.version}`;
}

type EnvelopeSchema<Data extends z.ZodType> = ReturnType<typeof newEnvelopeSchema<Data>>;

const schemas = new WeakMap<MessageSpec, unknown>();

/** The schema of a whole message, for both ends; made once, since a schema is compiled when it is first used. */
export function envelopeSchema<Data extends z.ZodType>(spec: MessageSpec<Data>): EnvelopeSchema<Data> {
  let schema = schemas.get(spec) as EnvelopeSchema<Data> | undefined;
  if (schema === undefined) {
    schema = newEnvelopeSchema(spec);
    schemas.set(spec, schema);
  }
  return schema;
}

function newEnvelopeSchema<Data extends z.ZodType>(spec: MessageSpec<Data>) {
  return z.object({
    id: z.string().min(1).max(512),
    type: z.literal(spec.type),
    version: z.literal(spec.version),
    occurredAt: z.int().min(0),
    projectId: z.string(),
    requestId: z.string().nullable(),
    data: spec.data,
  });
}
