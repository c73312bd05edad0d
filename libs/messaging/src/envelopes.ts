import { envelopeSchema, type EnvelopeOf, type MessageSpec } from '@clew/contracts';

const schemas = new WeakMap<MessageSpec, ReturnType<typeof envelopeSchema>>();

/** The envelope that a value is, by the schema of its message; throws a ZodError when it is none. */
export function validEnvelope<Spec extends MessageSpec>(spec: Spec, value: unknown): EnvelopeOf<Spec> {
  let schema = schemas.get(spec);
  if (schema === undefined) {
    schema = envelopeSchema(spec);
    schemas.set(spec, schema);
  }
  return schema.parse(value) as EnvelopeOf<Spec>;
}
