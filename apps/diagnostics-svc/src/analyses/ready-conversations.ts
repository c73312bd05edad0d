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
  /**
   * Undefined if the rule service is not mounted; the events are consumed all the same, so that they do not pile up.
   */
  mounted: { queueRuns: QueueRuns; enabledRules: EnabledRules } | undefined;
}

interface ReadySnapshot extends AnalysisTarget {
  requestId: string | null;
}

/** Conversations per transaction, so that it stays short. A repeat leaves as it is what was done already. */
const MAX_CONVERSATIONS_TOGETHER = 1_000;

/**
 * Queues runs of the enabled Rules for ready conversations, unless their project has switched that off; then it
 * announces that nobody will analyse them. The conversations of many messages are read and written together.
 */
export function takeReadyConversations(dependencies: ReadyConversationsDependencies) {
  const { database, settings, analyses, outbox, clock, mounted } = dependencies;
  /** Enabled Rules by project, for projects with automatic scheduling. */
  async function scheduledRules(projectIds: readonly string[]) {
    if (mounted === undefined) return new Map<string, never[]>();
    const settingsOf = await settings.getMany(projectIds);
    const isScheduled = (projectId: string) => settingsOf.get(projectId)?.automaticSchedulingEnabled === true;
    return await mounted.enabledRules.ofProjects(projectIds.filter(isScheduled));
  }

  async function take(messages: readonly ReadyMessage[]): Promise<void> {
    const ready = messages.flatMap(snapshotsOf);
    const rulesOf = await scheduledRules(ready.map(({ projectId }) => projectId));
    const trigger = 'automatic' as const;
    const all = ready.map((each) => ({ ...each, rules: rulesOf.get(each.projectId) ?? [], trigger }));
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
