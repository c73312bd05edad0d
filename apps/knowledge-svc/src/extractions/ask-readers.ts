import { providerKeyOf, type Waiting } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  readProviderGates,
  type AnyOutboxMessage,
  type AskedWork,
  type Capacity,
  type Circuits,
  type Claimed,
  type Database,
  type TaskLoop,
  type Outbox,
  type ProviderGates,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GoalStore } from '../goals/index.ts';
import type { ModelState, ProjectModels } from '../models/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import { extractionCommand } from './extraction-command.ts';
import { extractionCollection, type ExtractionDocument } from './extraction.model.ts';
import { asked, ended, minNewTokensOf, type Patience, type Extraction } from './extraction.ts';
import { createHold, stepOf, type Known } from './extraction-steps.ts';
import type { ExtractionsOf, ExtractionStore } from './extractions.store.ts';

/** Extraction that has ended, for the backfills that wait for it. */
export interface EndedExtraction {
  extraction: Extraction;
  isFailed: boolean;
}

export interface AskReadersDependencies {
  database: Database;
  extractions: ExtractionStore;
  goals: GoalStore;
  settings: SettingsStore;
  models: ProjectModels;
  /** Circuits of the projects' providers. */
  circuits: Circuits;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  patience: Patience;
  /** Extractions that workers may have in hand, in all and for one project. */
  capacity(): Capacity;
  /** Returns those of the given backfills that still wait for extractions. */
  waiting(tx: Transaction, projectId: string, backfillIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Runs in the transaction that ends extractions without a worker. */
  afterEnd(tx: Transaction, projectId: string, extractions: readonly EndedExtraction[]): Promise<void>;
  pollMs?: number | undefined;
}

/** Requests due extractions from workers, and ends those that are no longer wanted. */
export interface AskReaders {
  start(): TaskLoop;
  wake(): void;
  /** Reconsiders held extractions of goals, per goal as many as workers may have in hand of the project. */
  release(projectId: string, goalIds: readonly string[]): Promise<void>;
  /** Reconsiders that many held extractions of each goal. */
  releaseSome(projectId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** Tells why the next of some extractions of a project was not requested yet; `undefined` if none waits. */
  waitingOf(projectId: string, some: ExtractionsOf): Promise<Waiting | undefined>;
}

/** Models and goals of a project, read before the transaction. */
type Found = Pick<Known, 'goals' | 'models' | 'embeddingModel' | 'isEnabled'>;

const GROUP_SIZE = 100;
/** Poll interval in milliseconds for a provider on trial, in case nobody reports that it answers. */
const LOOK_AGAIN_MS = 15_000;

export function createAskReaders(deps: AskReadersDependencies): AskReaders {
  const { database, extractions, circuits, clock } = deps;
  // No row is given up: a backfill may wait for it, and a request that fails now can succeed later.
  const work = createAskedWork<ExtractionDocument, ExtractionsOf, Found, ReadonlyMap<string, number>>({
    ...{
      name: 'extractions',
      database,
      collection: extractionCollection(database),
      circuits,
      clock,
      logger: deps.logger,
    },
    ...{ capacity: deps.capacity, groupSize: GROUP_SIZE, pollMs: deps.pollMs ?? 1_000 },
    look: (projectId, claimed) => look(deps, projectId, claimed),
    decide,
    decided: releaseSome,
    putOffSince: (projectId, some) => extractions.heldSince(projectId, some),
    putOffReason: 'model',
  });

  async function decide(
    tx: Transaction,
    projectId: string,
    claimed: readonly Claimed<ExtractionDocument>[],
    found: Found,
  ): Promise<ReadonlyMap<string, number>> {
    const ids = claimed.map(({ _id }) => _id);
    // Reads the rows again: a claimed conversation may have become ready anew.
    const rows = [...(await extractions.getMany(tx, ids)).values()];
    const backfillIds = rows.flatMap((row) => row.backfillIds);
    const waiting = await deps.waiting(tx, projectId, backfillIds);
    await work.rows.settle(tx, claimed);
    const nowMs = clock.now();
    const keys = providersOf(projectId, found.models);
    const gates = await readProviderGates(tx, circuits, { keys, nowMs, lookAgainMs: LOOK_AGAIN_MS });
    return await take(deps, work, tx, projectId, rows, { ...found, waiting, gates });
  }

  async function releaseSome(projectId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    const ids: string[] = [];
    const nowMs = clock.now();
    for (const [goalId, count] of counts) ids.push(...(await extractions.heldOf({ projectId, goalId }, nowMs, count)));
    if (ids.length > 0) await work.release({ _id: { $in: ids } });
  }

  return {
    start: () => work.start(),
    wake: () => work.wake(),
    waitingOf: (projectId, some) => work.waitingOf(projectId, some),
    releaseSome,
    async release(projectId, goalIds) {
      const { ofProject } = deps.capacity();
      await releaseSome(projectId, new Map(goalIds.map((goalId) => [goalId, ofProject])));
    },
  };
}

async function look(
  { goals, models, settings }: AskReadersDependencies,
  projectId: string,
  claimed: readonly Claimed<ExtractionDocument>[],
): Promise<Found> {
  const goalIds = [...new Set(claimed.map(({ goalId }) => goalId))];
  const known = await goals.getMany(projectId, goalIds);
  const named = [...known.values()].filter(({ status }) => status === 'active').map(({ model }) => model);
  const [found, embeddingModel, { extractionEnabled }] = await Promise.all([
    models.find(projectId, [...new Set(named)]),
    named.length === 0 ? null : models.embeddingModel(projectId),
    settings.get(projectId),
  ]);
  return { goals: known, models: found, embeddingModel, isEnabled: extractionEnabled };
}

/**
 * Requests, holds or ends the rows. Returns, for each goal that can go on, how many more held rows may be reconsidered.
 */
async function take(
  { extractions, outbox, clock, patience, afterEnd }: AskReadersDependencies,
  work: Pick<AskedWork<ExtractionDocument>, 'roomOf'>,
  tx: Transaction,
  projectId: string,
  rows: readonly Extraction[],
  known: Known & { gates: ProviderGates },
) {
  const nowMs = clock.now();
  const room = await work.roomOf(tx, projectId, nowMs);
  const hold = createHold(nowMs);
  const goingOn = new Map<string, number>();
  const changed: Extraction[] = [];
  const over: EndedExtraction[] = [];
  const messages: AnyOutboxMessage[] = [];
  for (const extraction of rows) {
    const wasHeld = extraction.state === 'held';
    const step = stepOf(extraction, known, nowMs);
    if (step.kind === 'end') {
      over.push({ extraction, isFailed: step.isFailed });
      changed.push(ended(extraction));
      if (wasHeld) goingOn.set(extraction.goalId, room);
    } else if (step.kind === 'put') {
      changed.push(step.extraction);
    } else if (step.kind === 'hold') {
      changed.push(hold(extraction, step.lookAgainMs));
    } else if (messages.length >= room) {
      // Another process was faster: the row keeps its place in the queue, and gets a turn once there is room.
      changed.push({ ...extraction, state: 'due' });
    } else {
      const next = asked(extraction, nowMs + ANSWER_WITHIN_MS);
      changed.push(next);
      const minNewTokens = minNewTokensOf(next, patience, nowMs);
      messages.push(extractionCommand(next, { ...known, ...step, minNewTokens, nowMs }));
      const provider = providerKeyOf(projectId, step.state.model);
      known.gates.pass(provider);
      await known.gates.ask(provider);
      if (wasHeld) goingOn.set(extraction.goalId, room - messages.length);
    }
  }
  await extractions.save(tx, changed);
  await afterEnd(tx, projectId, over);
  await outbox.appendMany(tx, messages);
  return goingOn;
}

function providersOf(projectId: string, models: ReadonlyMap<string, ModelState>): string[] {
  const available = [...models.values()].filter((state) => state.kind === 'available');
  return available.map(({ model }) => providerKeyOf(projectId, model));
}
