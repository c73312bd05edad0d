import { newId } from '@clew/kernel';
import type { ToldEvent } from '../webhooks/events/event-of.ts';

/** Event of a Dataset, as a message tells it. */
export function toldDataset(projectId: string, fields: Partial<ToldEvent> = {}): ToldEvent {
  const eventId = newId('evt');
  const data = { projectId, datasetId: 'dst_1', version: 1, contentId: 'c', exampleCount: 2 };
  return {
    messageId: `message ${eventId}`,
    eventId,
    projectId,
    type: 'dataset.changed',
    occurredAt: 1,
    data,
    ...fields,
  };
}
