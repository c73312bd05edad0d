import { isDuplicateKey, type AskedWork, type Database, type Outbox } from '@clew/persistence';
import type { CollectingDataset } from './collecting-datasets.ts';
import type { DecisionDocument } from './decision.model.ts';
import { lookCommands } from './look-commands.ts';
import { decisionIdOf, type LookStore, type WantedLook } from './looks.store.ts';

export interface AskAtOnceDependencies {
  database: Database;
  looks: Pick<LookStore, 'without' | 'insertAsked'>;
  work: Pick<AskedWork<DecisionDocument>, 'freeRoomOf'>;
  outbox: Outbox;
}

/**
 * Hands looks of a project to workers in the write that makes their decisions, as long as nobody waits for a place; a
 * look that is due first is written four times. Resolves with the others: those that have a decision, and those for
 * which there is no place.
 */
export function createAskAtOnce({ database, looks, work, outbox }: AskAtOnceDependencies) {
  return async (
    projectId: string,
    wanted: readonly WantedLook[],
    { datasets, nowMs }: { datasets: ReadonlyMap<string, CollectingDataset>; nowMs: number },
  ): Promise<readonly WantedLook[]> => {
    if (wanted.length === 0) return [];
    const room = await work.freeRoomOf(projectId, nowMs);
    if (room <= 0) return wanted;
    const asked = (await looks.without(wanted)).slice(0, room);
    const commanded = asked.map((each) => ({ ...each, _id: decisionIdOf(each), round: 1 }));
    try {
      await database.withTransaction(async (tx) => {
        await looks.insertAsked(tx, asked, nowMs);
        await outbox.appendMany(tx, lookCommands(projectId, commanded, { datasets, nowMs }));
      });
    } catch (error) {
      // Another process was faster with one of them.
      if (isDuplicateKey(error)) return wanted;
      throw error;
    }
    const ids = new Set(commanded.map(({ _id }) => _id));
    return wanted.filter((each) => !ids.has(decisionIdOf(each)));
  };
}
