import { routingKeyOf, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { outboxCollection, type Database } from '@clew/persistence';

/**
 * Returns the messages of one type that a service without a relay has emitted for a project, in the order of their
 * commits.
 */
export async function emittedMessages<Spec extends MessageSpec>(
  database: Database,
  spec: Spec,
  projectId: string,
): Promise<EnvelopeOf<Spec>[]> {
  const rows = await outboxCollection(database)
    .find({ routingKey: routingKeyOf(spec) }, { sort: { seq: 1 } })
    .toArray();
  return rows
    .map(({ body }) => readJson(body) as EnvelopeOf<Spec>)
    .filter((message) => message.projectId === projectId);
}
