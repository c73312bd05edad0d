import { z } from 'zod';
import type { ServiceName } from '../services.ts';

export type MessageKind = 'event' | 'command' | 'result';

/** Exchange that carries each kind of message (design, section 4). */
export const EXCHANGE_OF_KIND: Readonly<Record<MessageKind, string>> = {
  event: 'clew.events',
  command: 'clew.commands',
  result: 'clew.results',
};

/** Second way of a message to its consumer, for the copies that must not delay the others. */
export type Lane = 'bulk';

/** Declaration of a message: its routing key is `<type>.v<version>`. */
export interface MessageSpec<Data extends z.ZodType = z.ZodType> {
  readonly kind: MessageKind;
  /** `<area>.<subject>.<event or requested action>`. */
  readonly type: string;
  readonly version: number;
  /** Services that may publish it; the broker denies that right to all others. */
  readonly publishedBy: readonly ServiceName[];
  /**
   * Services whose every replica receives the message while it runs, on a queue that exists as long as the replica;
   * durable queues have a table of their own.
   */
  readonly heardBy?: readonly ServiceName[];
  /** Lanes besides the usual one; each has its own routing key and its own durable queue. */
  readonly lanes?: readonly Lane[];
  /** Superseded by a later version: it is no longer published, but copies left in queues are still consumed. */
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

/** Message whose kind and type are known to the compiler, so that tables of messages can be complete by their types. */
type DefinedMessage<Data extends z.ZodType, Kind extends MessageKind, Type extends string> = MessageSpec<Data> & {
  readonly kind: Kind;
  readonly type: Type;
};

export function defineMessage<Data extends z.ZodType, const Kind extends MessageKind, const Type extends string>(
  spec: DefinedMessage<Data, Kind, Type>,
): DefinedMessage<Data, Kind, Type> {
  return spec;
}

/** Returns the routing key of a message; without a lane, that of the usual one. */
export function routingKeyOf(spec: Pick<MessageSpec, 'type' | 'version'>, lane?: Lane): string {
  const usual = `${spec.type}.v${spec.version}`;
  return lane === undefined ? usual : `${usual}.${lane}`;
}

/** Returns the routing keys of all lanes of a message. */
export function routingKeysOf(spec: Pick<MessageSpec, 'type' | 'version' | 'lanes'>): string[] {
  return [undefined, ...(spec.lanes ?? [])].map((lane) => routingKeyOf(spec, lane));
}

type EnvelopeSchema<Data extends z.ZodType> = ReturnType<typeof newEnvelopeSchema<Data>>;

const schemas = new WeakMap<MessageSpec, unknown>();

/** Returns the schema of a whole message, for both ends; cached, because a schema is compiled when it is first used. */
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
