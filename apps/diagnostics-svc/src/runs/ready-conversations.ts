import type { conversationReady, EnvelopeOf } from '@clew/contracts';
import type { SettingsStore } from '../settings/settings.store.ts';
import type { RunsService } from './runs.service.ts';

/**
 * Queues runs for each conversation that is ready, where the project has not switched that off. `runs` is undefined where
 * the rule service is not mounted: then the events are taken all the same, or they would pile up in the queue.
 */
export function scheduleReadyConversations(settings: SettingsStore, runs: RunsService | undefined) {
  return async ({ projectId, requestId, data }: EnvelopeOf<typeof conversationReady>): Promise<void> => {
    if (runs === undefined) return;
    const { automaticSchedulingEnabled } = await settings.get(projectId);
    if (!automaticSchedulingEnabled) return;
    const { conversationId, snapshotId } = data;
    await runs.schedule({ projectId, conversationId, snapshotId }, requestId);
  };
}
