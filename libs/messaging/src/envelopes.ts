import { envelopeSchema, type EnvelopeOf, type MessageSpec } from '@clew/contracts';

/** Validates an envelope with the schema of its message; throws a ZodError if it is invalid. */
export function validEnvelope<Spec extends MessageSpec>(spec: Spec, value: unknown): EnvelopeOf<Spec> {
  return envelopeSchema(spec).parse(value) as EnvelopeOf<Spec>;
}
