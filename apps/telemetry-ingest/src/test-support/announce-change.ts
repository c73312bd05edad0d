import type { allowanceChanged, privacyChanged } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createPublisher, type Broker } from '@clew/messaging';
import { eventually } from '@clew/testing';
import { PROJECT_ID } from './decoding.ts';

/**
 * Tells all processes of a change of the project. A process binds its queue for changes beside its other beginnings, and
 * a message that no queue takes is refused: it is sent once a queue is bound.
 */
export async function announceChange(
  broker: Broker,
  spec: typeof allowanceChanged | typeof privacyChanged,
): Promise<void> {
  const publisher = createPublisher(broker);
  const { type, version } = spec;
  const head = { id: newId('evt'), type, version, occurredAt: 1, projectId: PROJECT_ID, requestId: null };
  await eventually(() => publisher.publish(spec, { ...head, data: {} }));
  await publisher.close();
}
