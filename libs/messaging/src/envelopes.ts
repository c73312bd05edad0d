import { envelopeSchema, type EnvelopeOf, type MessageSpec } from '@clew/contracts';

/** The envelope that a value is, by the schema of its message; throws a ZodError when it is none. */
export function validEnvelope<Spec extends MessageSpec>(spec: Spec, value: unknown): EnvelopeOf<Spec> {
  return envelopeSchema(spec).parse(value) as EnvelopeOf<Spec>;
}
