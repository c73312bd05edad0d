import { providerKeyOf, type Waiting } from '@clew/contracts';
import { describeError, type Clock } from '@clew/kernel';
import {
  createDueRows,
  createProjectTurns,
  startDueLoop,
  type AnyOutboxMessage,
  type Capacity,
  type Circuits,
  type Claimed,
  type Database,
  type DueLoop,
  type DueRows,
  type Outbox,
  type Passage,
  type ProjectTurns,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GoalStore, StoredGoal } from '../goals/index.ts';
import type { ModelState, ProjectModels } from '../models/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import { extractionCommand, type AvailableModel } from './extraction-command.ts';
import { readingCollection, type ReadingDocument } from './reading.model.ts';
import { afterFailure, asked, ended, minNewTokensOf, type Patience, type Reading } from './reading.ts';
import type { ReadingsOf, ReadingStore } from './readings.store.ts';

/** What readings that have ended come to, for the backfills that wait for them. */
export interface EndedReading {
  reading: Reading;
  isFailed: boolean;
}

export interface AskReadersDependencies {
  database: Database;
  readings: ReadingStore;
  goals: GoalStore;
  settings: SettingsStore;
  models: ProjectModels;
  /** Of the providers of the projects. */
  circuits: Circuits;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  patience: Patience;
  /** How many readings workers may have in hand, and of one project among them. */
  capacity(): Capacity;
  /** Of those backfills, which still wait for what they asked for. */
  waiting(tx: Transaction, projectId: string, backfillIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** In the transaction in which readings end that no worker has to read. */
  afterEnd(tx: Transaction, projectId: string, readings: readonly EndedReading[]): Promise<void>;
  pollMs?: number | undefined;
}

/** What is to be done about one row. */
type Step =
  | { kind: 'ask'; state: AvailableModel; goal: StoredGoal }
  | { kind: 'put'; reading: Reading }
  | { kind: 'hold'; lookAgainMs: number }
  | { kind: 'end'; isFailed: boolean };

interface Known {
  goals: ReadonlyMap<string, StoredGoal>;
  models: ReadonlyMap<string, ModelState>;
  /** What a worker is to embed with what it finds; null: words have to do. */
  embeddingModel: string | null;
  isEnabled: boolean;
  waiting: ReadonlySet<string>;
  /** Whether providers may be asked that are known to hang, by key. */
  passages: Map<string, Passage>;
}

const LEASE_MS = 60_000;
const GROUP_SIZE = 100;
/** Groups of as many projects: one whose models are slow to tell of themselves keeps no other waiting. */
const GROUPS_AT_A_TIME = 4;
/** An answer comes, or the command is a dead letter, long before. */
const ANSWER_WITHIN_MS = 24 * 3_600_000;
/** A model that is away is looked at again, should nobody tell that it is there. */
const LOOK_AGAIN_MS = 15_000;
/** Of what is held of a goal one stands for the others: they are looked at once it can go on, or so late. */
const STOOD_FOR_MS = 3_600_000;
/** What could not be read by itself for so long is left to a backfill. */
const CATCH_UP_MS = 7 * 24 * 3_600_000;

/** Asks workers for what is due to be read; what nobody is to read ends here. */
export class AskReaders {
  readonly #deps: AskReadersDependencies;
  readonly #rows: DueRows<ReadingDocument>;
  readonly #turns: ProjectTurns<ReadingDocument>;
  #loop: DueLoop | undefined;

  constructor(deps: AskReadersDependencies) {
    this.#deps = deps;
    const collection = readingCollection(deps.database);
    // None is given up: a backfill may wait for it, and what cannot be asked for now can be in the end.
    this.#rows = createDueRows(collection, { leaseMs: LEASE_MS });
    this.#turns = createProjectTurns({ collection, rows: this.#rows, capacity: deps.capacity });
  }

  start(): DueLoop {
    const { clock, logger, pollMs = 1_000 } = this.#deps;
    this.#loop = startDueLoop({
      ...{ name: 'readings', rows: this.#turns.rows, clock, logger, pollMs },
      ...{ limit: GROUP_SIZE, concurrency: GROUPS_AT_A_TIME },
      handle: async (claimed) => {
        const [first] = claimed;
        if (first !== undefined) await this.#handle(first.projectId, claimed);
      },
    });
    return this.#loop;
  }

  wake(): void {
    this.#loop?.wake();
  }

  /** Of what is held of goals, as much as workers may have in hand is looked at again. */
  async release(projectId: string, goalIds: readonly string[]): Promise<void> {
    const { ofProject } = this.#deps.capacity();
    await this.releaseSome(projectId, new Map(goalIds.map((goalId) => [goalId, ofProject])));
  }

  /** So many of what is held of each goal are looked at again. */
  async releaseSome(projectId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    const { readings, clock } = this.#deps;
    const ids: string[] = [];
    const nowMs = clock.now();
    for (const [goalId, count] of counts) ids.push(...(await readings.heldOf({ projectId, goalId }, nowMs, count)));
    if (ids.length === 0) return;
    await this.#rows.makeDue({ _id: { $in: ids } }, nowMs);
    this.wake();
  }

  /** Why the next of some readings of a project was not asked for yet; undefined where none waits. */
  async waitingOf(projectId: string, some: ReadingsOf): Promise<Waiting | undefined> {
    const { readings, circuits, clock } = this.#deps;
    const nowMs = clock.now();
    const place = await this.#turns.placeOf(projectId, some, nowMs);
    if (place !== undefined) return { reason: 'places', ...place };
    const since = await readings.heldSince(projectId, some);
    if (since === undefined) return undefined;
    return { reason: (await circuits.isAnyOpen(projectId, nowMs)) ? 'provider' : 'model', since };
  }

  async #handle(projectId: string, claimed: readonly Claimed<ReadingDocument>[]): Promise<void> {
    const { database, goals, settings, models, clock } = this.#deps;
    const goalIds = [...new Set(claimed.map(({ goalId }) => goalId))];
    const known = await goals.getMany(projectId, goalIds);
    const named = [...known.values()].filter(({ status }) => status === 'active').map(({ model }) => model);
    let found: ReadonlyMap<string, ModelState>;
    let embeddingModel: string | null;
    try {
      [found, embeddingModel] = await Promise.all([
        models.find(projectId, [...new Set(named)]),
        named.length === 0 ? null : models.embeddingModel(projectId),
      ]);
    } catch (error) {
      for (const row of claimed) await this.#rows.putOff(row, clock.now(), describeError(error));
      return;
    }
    const { extractionEnabled } = await settings.get(projectId);
    const goingOn = await database.withTransaction(async (tx) => {
      // As they are by now: what was claimed may have become ready anew.
      const current = await this.#deps.readings.getMany(
        tx,
        claimed.map(({ _id }) => _id),
      );
      const rows = [...current.values()];
      const waiting = await this.#deps.waiting(
        tx,
        projectId,
        rows.flatMap(({ backfillIds }) => backfillIds),
      );
      await this.#rows.settle(tx, claimed);
      const passages = await this.#passages(tx, projectId, found);
      const all = { goals: known, models: found, embeddingModel, isEnabled: extractionEnabled, waiting, passages };
      return await this.#take(tx, projectId, rows, all);
    });
    await this.releaseSome(projectId, goingOn);
  }

  async #passages(tx: Transaction, projectId: string, models: ReadonlyMap<string, ModelState>) {
    const { circuits, clock } = this.#deps;
    const available = [...models.values()].filter((state) => state.kind === 'available');
    const keys = available.map(({ model }) => providerKeyOf(projectId, model));
    return new Map(await circuits.passages(tx, keys, clock.now()));
  }

  /** Returns how much more of what is held may be looked at, of goals of which something held could go on. */
  async #take(
    tx: Transaction,
    projectId: string,
    rows: readonly Reading[],
    known: Known,
  ): Promise<ReadonlyMap<string, number>> {
    const { readings, circuits, outbox, clock, patience } = this.#deps;
    const nowMs = clock.now();
    const room = await this.#turns.roomOf(tx, projectId, nowMs);
    const hold = createHold(nowMs);
    const goingOn = new Map<string, number>();
    const changed: Reading[] = [];
    const over: EndedReading[] = [];
    const messages: AnyOutboxMessage[] = [];
    for (const reading of rows) {
      const { goalId } = reading;
      const wasHeld = reading.state === 'held';
      const step = this.#stepOf(reading, known, nowMs);
      if (step.kind === 'end') {
        over.push({ reading, isFailed: step.isFailed });
        changed.push(ended(reading));
        if (wasHeld) goingOn.set(goalId, room);
      } else if (step.kind === 'put') {
        changed.push(step.reading);
      } else if (step.kind === 'hold') {
        changed.push(hold(reading, step.lookAgainMs));
      } else {
        const left = room - messages.length;
        // Another process was faster: it keeps its place, and has a turn once there is room.
        if (left <= 0) {
          changed.push({ ...reading, state: 'due' });
          continue;
        }
        const next = asked(reading, nowMs + ANSWER_WITHIN_MS);
        changed.push(next);
        const minNewTokens = minNewTokensOf(next, patience, nowMs);
        messages.push(extractionCommand(next, { ...known, ...step, minNewTokens, nowMs }));
        const provider = providerKeyOf(projectId, step.state.model);
        if (known.passages.get(provider)?.kind === 'one') {
          await circuits.tried(tx, provider, nowMs);
          known.passages.set(provider, { kind: 'none', untilMs: nowMs + LOOK_AGAIN_MS });
        }
        if (wasHeld) goingOn.set(goalId, left - 1);
      }
    }
    await readings.save(tx, changed);
    await this.#deps.afterEnd(tx, projectId, over);
    await outbox.appendMany(tx, messages);
    return goingOn;
  }

  #stepOf(reading: Reading, { goals, models, isEnabled, waiting, passages }: Known, nowMs: number): Step {
    const goal = goals.get(reading.goalId);
    const isOver = goal === undefined || goal.status === 'archived' || goal.revision !== reading.goalRevision;
    if (isOver) return { kind: 'end', isFailed: false };
    const isWaitedFor = reading.backfillIds.some((id) => waiting.has(id));
    if (!isWaitedFor && (!isEnabled || reading.since + CATCH_UP_MS < nowMs)) return { kind: 'end', isFailed: false };
    if (goal.status === 'paused') return { kind: 'hold', lookAgainMs: LOOK_AGAIN_MS };
    if (reading.state === 'asked') {
      const again = afterFailure(reading, { retryAfterMs: null, isBudget: false }, nowMs);
      return again === undefined ? { kind: 'end', isFailed: true } : { kind: 'put', reading: again };
    }
    const state = models.get(goal.model) ?? { kind: 'unknown' };
    if (state.kind !== 'available') return { kind: 'hold', lookAgainMs: LOOK_AGAIN_MS };
    const passage = passages.get(providerKeyOf(reading.projectId, state.model));
    if (passage?.kind === 'none') return { kind: 'hold', lookAgainMs: passage.untilMs - nowMs };
    return { kind: 'ask', state, goal };
  }
}

/**
 * Holds what is looked at together, so that of each goal one stands for the others: however much is held, little is
 * looked at again while nothing can go on.
 */
function createHold(nowMs: number): (reading: Reading, lookAgainMs: number) => Reading {
  const goals = new Set<string>();
  return (reading, lookAgainMs) => {
    const isFirst = !goals.has(reading.goalId);
    goals.add(reading.goalId);
    return { ...reading, state: 'held', dueAt: nowMs + (isFirst ? lookAgainMs : STOOD_FOR_MS) };
  };
}
