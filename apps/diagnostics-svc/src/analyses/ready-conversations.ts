import type { conversationReady, EnvelopeOf } from '@clew/contracts';
import { inParts, type Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import type { EnabledRules } from '../rules/index.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import { analysedEvents, notAnalysed } from './analysed-events.ts';
import type { AnalysisStore } from './analyses.store.ts';
import { analysisIdOf, type AnalysisTarget } from './analysis.ts';
import type { QueueRuns } from './queue-runs.ts';

type ReadyMessage = EnvelopeOf<typeof conversationReady>;

export interface ReadyConversationsDependencies {
  database: Database;
  settings: SettingsStore;
  analyses: AnalysisStore;
  outbox: Outbox;
  clock: Clock;
  /** Undefined where the rule service is not mounted: the events are taken all the same, or they would pile up. */
  mounted: { queueRuns: QueueRuns; enabledRules: EnabledRules } | undefined;
}

interface ReadySnapshot extends AnalysisTarget {
  requestId: string | null;
}

/** So that a transaction stays short. What a repeat finds done it leaves as it is. */
const MAX_CONVERSATIONS_TOGETHER = 1_000;

/**
 * Queues runs of the enabled Rules for the conversations that are ready, where their project has not switched that off; of
 * the others it tells that nobody will analyse them. What many messages name is read and written together.
 */
export function takeReadyConversations(dependencies: ReadyConversationsDependencies) {
  const { database, settings, analyses, outbox, clock, mounted } = dependencies;
  /** By project, where they are to run by themselves. */
  async function scheduledRules(projectIds: readonly string[]) {
    if (mounted === undefined) return new Map<string, never[]>();
    const settingsOf = await settings.getMany(projectIds);
    const isScheduled = (projectId: string) => settingsOf.get(projectId)?.automaticSchedulingEnabled === true;
    return await mounted.enabledRules.ofProjects(projectIds.filter(isScheduled));
  }

  async function take(messages: readonly ReadyMessage[]): Promise<void> {
    const ready = messages.flatMap(snapshotsOf);
    const rulesOf = await scheduledRules(ready.map(({ projectId }) => projectId));
    const all = ready.map((each) => ({ ...each, rules: rulesOf.get(each.projectId) ?? [] }));
    const wanted = all.filter(({ rules }) => rules.length > 0);
    const unwanted = all.filter(({ rules }) => rules.length === 0);
    await database.withTransaction(async (tx) => {
      const known = await analyses.load(tx, ready);
      await mounted?.queueRuns(tx, known, wanted);
      const left = unwanted.filter((each) => !known.has(analysisIdOf(each)));
      const causes = messages.map(({ id }) => id);
      await outbox.appendMany(tx, analysedEvents(left.map(notAnalysed), causes, clock.now()));
    });
  }

  return async (messages: readonly ReadyMessage[]): Promise<void> => {
    for (const part of inParts(messages, ({ data }) => data.conversations.length, MAX_CONVERSATIONS_TOGETHER)) {
      await take(part);
    }
  };
}

function snapshotsOf({ projectId, requestId, data }: ReadyMessage): ReadySnapshot[] {
  return data.conversations.map(({ conversationId, snapshotId }) => ({
    ...{ projectId, conversationId, snapshotId, requestId },
  }));
}
