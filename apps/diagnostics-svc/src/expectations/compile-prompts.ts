import type { ServiceClient } from '@clew/http';
import { derivedId, type Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskLoop,
  type Transaction,
} from '@clew/persistence';
import type { ExpectationProposal } from '@clew/rules';
import type { Logger } from '@clew/runtime';
import type { SettingsStore } from '../settings/settings.store.ts';
import type { CheckedSet } from './expectation.ts';
import { checkHashOf, isActive, newExpectation, type StoredExpectation } from './expectation.ts';
import type { ExpectationStore } from './expectations.store.ts';
import type { PromptNotices } from './notice-prompts.ts';
import { promptCollection, type PromptDocument } from './prompt.model.ts';
import { snapshotJson, type AskSnapshot } from './read-snapshot.ts';
import { activeAmong, roomIn } from './room.ts';

export interface CompilePromptsDependencies {
  database: Database;
  expectations: ExpectationStore;
  settings: SettingsStore;
  notices: Pick<PromptNotices, 'forget' | 'onDue'>;
  warehouse: ServiceClient;
  askSnapshot: AskSnapshot;
  clock: Clock;
  logger: Logger;
  /**
   * Queues the snapshot that showed the prompt for a check of the new set, in the transaction that stores the
   * Expectations.
   */
  checkAgain: (tx: Transaction, shown: ShownSnapshot, set: CheckedSet) => Promise<void>;
}

/** Snapshot that shows a prompt. */
export interface ShownSnapshot {
  projectId: string;
  conversationId: string;
  snapshotId: string;
}

type ClaimedPrompt = Claimed<PromptDocument>;

const LEASE_MS = 60_000;

/** Compiles due prompts one after another with the grammar, apart from the processing of results. */
export function createCompilePrompts(deps: CompilePromptsDependencies) {
  const { database, expectations, settings, warehouse, askSnapshot, clock, logger } = deps;
  const prompts = promptCollection(database);
  const rows = createScheduledTasks(prompts, { leaseMs: LEASE_MS, maxAttempts: 10, isInTurn: true });

  /** Proposals that the prompt states, read from its snapshot; `undefined` if retention has removed that. */
  async function statedBy({ projectId, snapshotId, promptHash, agent, tools }: PromptDocument) {
    const json = await snapshotJson(warehouse, { projectId, snapshotId });
    if (json === undefined) return undefined;
    const prompt = { promptHash, tools, ...(agent === undefined ? {} : { agent }) };
    const stated = await askSnapshot(projectId, json, { ask: 'proposals', prompt });
    if (stated === undefined) return undefined;
    const { conversationId, proposals } = stated;
    return { proposals, target: { projectId, conversationId, snapshotId } };
  }

  /** Proposals that are new; an Expectation that a person wrote, switched off or deleted stays as it is. */
  async function unknownAmong(
    tx: Transaction,
    { projectId }: PromptDocument,
    proposals: readonly ExpectationProposal[],
  ): Promise<ExpectationProposal[]> {
    const hashes = proposals.map(({ check }) => checkHashOf(check));
    const ids = hashes.map((hash) => compiledIdOf(projectId, hash));
    const known = await expectations.known(tx, projectId, { ids, checkHashes: hashes });
    const knownIds = new Set(known.map(({ id }) => id));
    const checked = new Set(known.filter(({ status }) => status !== 'deleted').map(({ checkHash }) => checkHash));
    return proposals.filter((_, index) => {
      return !knownIds.has(ids[index] ?? '') && !checked.has(hashes[index] ?? '');
    });
  }

  async function store(
    tx: Transaction,
    row: ClaimedPrompt,
    proposals: readonly ExpectationProposal[],
  ): Promise<StoredExpectation[]> {
    const { expectationActivation } = await settings.get(row.projectId);
    const fresh = await unknownAmong(tx, row, proposals);
    if (fresh.length === 0) return [];
    const { revision, active } = await expectations.counts(tx, row.projectId);
    const room = expectationActivation === 'grammar' ? roomIn(active) : 0;
    const nowMs = clock.now();
    const made = fresh.map((proposal, index) => {
      const id = compiledIdOf(row.projectId, checkHashOf(proposal.check));
      const status = index < room ? ('active' as const) : ('proposed' as const);
      return newExpectation({ ...proposal, id, projectId: row.projectId, status }, revision + 1, nowMs);
    });
    await expectations.insert(tx, made);
    const added = activeAmong(made);
    // Written even if none is active: of two prompts that state the same, the second then conflicts and sees the first.
    await expectations.count(tx, row.projectId, { revision: Math.min(added, 1), active: added });
    return made;
  }

  async function compile(row: ClaimedPrompt): Promise<void> {
    const stated = await statedBy(row);
    if (stated === undefined) {
      // Retention has removed the snapshot; another conversation may show the prompt again.
      await prompts.deleteOne({ _id: row._id, claim: row.claim });
      deps.notices.forget(row._id);
      return;
    }
    await database.withTransaction(async (tx) => {
      const made = await store(tx, row, stated.proposals);
      await rows.settle(tx, [row]);
      if (!made.some(isActive)) return;
      await deps.checkAgain(tx, stated.target, await expectations.checked(tx, row.projectId));
    });
  }

  return {
    start(): TaskLoop {
      const loop = startTaskLoop({
        ...{ name: 'prompt compilation', rows, clock, logger, limit: 1 },
        async handle(claimed) {
          for (const row of claimed) await compile(row);
        },
      });
      deps.notices.onDue(() => loop.wake());
      return loop;
    },
  };
}

/** Id of a compiled Expectation, derived from its check, so that a repeated statement is recognized. */
export function compiledIdOf(projectId: string, checkHash: string): string {
  return derivedId('exp', projectId, checkHash);
}
