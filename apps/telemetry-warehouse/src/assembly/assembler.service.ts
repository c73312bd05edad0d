import { conversationReady, MAX_READY_CONVERSATIONS, type ReadyConversation } from '@clew/contracts';
import { sha256Hex, type Clock } from '@clew/kernel';
import type { ClaimedTask, Database, Outbox, Transaction } from '@clew/persistence';
import type {
  AssembledSave,
  ClaimedConversation,
  ConversationStore,
  KnownConversation,
} from '../conversations/index.ts';
import type { HourStore } from '../hours/index.ts';
import type { NewSnapshot, SnapshotStore } from '../snapshots/index.ts';
import { planSave, type PlannedSave } from './planned-save.ts';
import { readConversation, type ReadConversations } from './read-conversations.ts';
import type { TraceLayouts } from './trace-layouts.ts';

export interface AssemblerDependencies {
  database: Database;
  conversations: Pick<ConversationStore, 'get' | 'saveAssembled' | 'passCalls'>;
  snapshots: Pick<SnapshotStore, 'prepare' | 'insert'>;
  hours: Pick<HourStore, 'recount'>;
  outbox: Outbox;
  clock: Clock;
  readConversations: ReadConversations;
}

export interface Assembler {
  /**
   * Assembles claimed conversations, stores a snapshot of each that has changed, and announces new content. A failure
   * does not hold up the others; the first error is thrown at the end.
   */
  settle(claimed: readonly ClaimedConversation[], layouts?: TraceLayouts): Promise<void>;
  /**
   * Returns the snapshot of the current content, and makes it if there is none; undefined if the conversation has no
   * content.
   */
  snapshotNow(conversation: KnownConversation): Promise<string | undefined>;
}

/** Error: another process has saved one of the conversations meanwhile. */
class OvertakenError extends Error {}

const MAX_ATTEMPTS = 5;
/** Maximum characters of snapshots that are saved in one transaction. */
const MAX_CHARACTERS_OF_SAVE = 4 * 1024 * 1024;

/**
 * Turns conversations into snapshots. Several processes, and callers that cannot wait, may do so at the same time: a
 * save counts only if it began from the latest state, so that each revision is one snapshot. The state of the
 * conversations, their snapshots and their event are one transaction.
 */
export function createAssembler(dependencies: AssemblerDependencies): Assembler {
  const { database, conversations, snapshots, hours, clock, readConversations } = dependencies;

  async function save(plans: readonly PlannedSave[]): Promise<void> {
    if (plans.length === 0) return;
    const made = plans.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]));
    const documents = await Promise.all(made.map((snapshot: NewSnapshot) => snapshots.prepare(snapshot)));
    await database.withTransaction(async (tx) => {
      // Conversations are saved first, so that the transaction is short if other processes touch them.
      const areLatest = await conversations.saveAssembled(tx, plans satisfies readonly AssembledSave[]);
      if (!areLatest) throw new OvertakenError();
      await snapshots.insert(tx, documents);
      const changes = plans.map(({ calls }) => calls);
      await conversations.passCalls(tx, changes, clock.now());
      await hours.recount(
        tx,
        plans.map(({ seen }) => seen._id),
      );
      await announce(dependencies, tx, plans);
    });
  }

  /**
   * Assembles and saves one conversation; starts again from its latest state if another save came first, for as long as
   * the claim holds.
   */
  async function readAndSave(conversation: KnownConversation, claimed?: ClaimedTask): Promise<string | null> {
    let seen: KnownConversation | undefined = conversation;
    for (let attempt = 1; seen !== undefined; attempt += 1) {
      const plan = planSave(seen, await readConversation(readConversations, seen), claimed);
      try {
        await save(plan.isNeeded ? [plan] : []);
        return plan.fields.snapshotId;
      } catch (error) {
        if (!(error instanceof OvertakenError) || attempt === MAX_ATTEMPTS) throw error;
      }
      seen = await conversations.get(conversation.projectId, conversation.conversationId);
      if (claimed !== undefined && seen?.claim !== claimed.claim) return seen?.snapshotId ?? null;
    }
    return null;
  }

  /** Saves assemblies together; one by one if another process has saved one of them. */
  async function saveTogether(plans: readonly PlannedSave[], failures: unknown[]): Promise<void> {
    try {
      return await save(plans);
    } catch (error) {
      if (!(error instanceof OvertakenError)) return void failures.push(error);
    }
    for (const { conversation, claimed } of plans) {
      await readAndSave(conversation, claimed).catch((error: unknown) => failures.push(error));
    }
  }

  async function settleProject(
    claimed: readonly ClaimedConversation[],
    layouts: TraceLayouts | undefined,
    failures: unknown[],
  ): Promise<void> {
    const claimOf = new Map(claimed.map((one) => [one._id, one]));
    let [plans, characters]: [PlannedSave[], number] = [[], 0];
    for await (const { conversation, result } of readConversations(claimed, layouts)) {
      if ('error' in result) {
        failures.push(result.error);
        continue;
      }
      const plan = planSave(conversation, result.assembled, claimOf.get(conversation._id));
      plans.push(plan);
      characters += plan.snapshot?.text.length ?? 0;
      if (characters < MAX_CHARACTERS_OF_SAVE) continue;
      await saveTogether(plans, failures);
      [plans, characters] = [[], 0];
    }
    await saveTogether(plans, failures);
  }

  return {
    async settle(claimed, layouts) {
      const failures: unknown[] = [];
      const byProject = Map.groupBy(claimed, ({ projectId }) => projectId);
      // The fewest conversations first, so that a single one does not wait for the many of another project.
      for (const ofProject of [...byProject.values()].sort((left, right) => left.length - right.length)) {
        await settleProject(ofProject, layouts, failures).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    async snapshotNow(conversation) {
      return (await readAndSave(conversation)) ?? undefined;
    },
  };
}

/** Announces new content, in the transaction that saves it: one message for many conversations of a project. */
async function announce(
  { outbox, clock }: Pick<AssemblerDependencies, 'outbox' | 'clock'>,
  tx: Transaction,
  plans: readonly PlannedSave[],
): Promise<void> {
  const news = plans.flatMap(({ ready, projectId }) => (ready === undefined ? [] : [{ projectId, ready }]));
  for (const [projectId, ofProject] of Map.groupBy(news, (one) => one.projectId)) {
    for (let start = 0; start < ofProject.length; start += MAX_READY_CONVERSATIONS) {
      const some = ofProject.slice(start, start + MAX_READY_CONVERSATIONS).map(({ ready }) => ready);
      await outbox.append(tx, conversationReady, {
        key: keyOf(some),
        ...{ projectId, requestId: null, occurredAt: clock.now(), data: { conversations: some } },
      });
    }
  }
}

/** Deterministic key, so that the same conversations in the same states are announced once. */
function keyOf(ready: readonly ReadyConversation[]): string {
  const [only, ...others] = ready;
  if (only !== undefined && others.length === 0) return only.snapshotId;
  return sha256Hex(ready.map(({ snapshotId }) => snapshotId).join());
}
