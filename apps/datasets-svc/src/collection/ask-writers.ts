import { providerKeyOf, synthesisRequested } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { nextDayMs, type Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  MAX_FAILURES,
  outboxMessage,
  readProviderGates,
  triedAgainAt,
  type AnyOutboxMessage,
  type AskedWork,
  type Capacity,
  type Circuits,
  type DailyBudget,
  type Database,
  type Outbox,
  type ProviderGates,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { CollectingDataset, CollectingDatasets } from './collecting-datasets.ts';
import { subjectOf, type DecisionStore } from './decisions.store.ts';
import type { ClaimedSynthesis, SynthesisStore } from './syntheses.store.ts';
import {
  budgetOwner,
  synthesisCollection,
  type SynthesisBudgetRow,
  type SynthesisDocument,
} from './synthesis.model.ts';
import { findWriters, writerOf, type Writer, type WriterOrNot } from './writers.ts';

export interface AskWritersDependencies {
  database: Database;
  syntheses: SynthesisStore;
  decisions: Pick<DecisionStore, 'refuseWaiting'>;
  collecting: Pick<CollectingDatasets, 'among'>;
  budget: DailyBudget<SynthesisBudgetRow>;
  circuits: Circuits;
  /** Responses that workers may have in hand, in all and for one project. */
  capacity(): Capacity;
  modelRuntime: ServiceClient;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Decision about one row. */
type Step =
  { kind: 'end' } | { kind: 'wait'; dueAt: number } | { kind: 'ask'; writer: Writer; dataset: CollectingDataset };

/** Facts that a decision needs, read before the transaction. */
interface Known {
  datasets: ReadonlyMap<string, CollectingDataset>;
  writers: ReadonlyMap<string, WriterOrNot>;
}

const GROUP_SIZE = 20;
const MAX_ATTEMPTS = 30;
const LOOK_AGAIN_MS = 60_000;
/** Pauses before a model that needs setup is looked at again: they grow, because a change of it is told as well. */
const [FIRST_SETUP_LOOK_MS, LAST_SETUP_LOOK_MS] = [10_000, 3_600_000];

/** Asks models to write responses, as many as a project has room and a Dataset has budget for; the rest waits. */
export function createAskWriters(deps: AskWritersDependencies): AskedWork<SynthesisDocument> {
  const { database, circuits, clock } = deps;
  const work: AskedWork<SynthesisDocument> = createAskedWork<SynthesisDocument, object, Known, void>({
    ...{ name: 'synthesis', database, circuits, clock, logger: deps.logger, capacity: deps.capacity },
    ...{ collection: synthesisCollection(database), groupSize: GROUP_SIZE, maxAttempts: MAX_ATTEMPTS },
    pollMs: deps.pollMs,
    async look(projectId, claimed) {
      const datasets = await deps.collecting.among(
        projectId,
        claimed.map(({ datasetId }) => datasetId),
      );
      const names = [...datasets.values()].map(({ model }) => model);
      return { datasets, writers: await findWriters(deps.modelRuntime, projectId, names) };
    },
    async decide(tx, projectId, claimed, known) {
      const nowMs = clock.now();
      const models = [...known.writers.values()].flatMap((writer) => (typeof writer === 'string' ? [] : writer.model));
      const keys = models.map((model) => providerKeyOf(projectId, model));
      const gates = await readProviderGates(tx, circuits, { keys, nowMs, lookAgainMs: LOOK_AGAIN_MS });
      const steps = claimed.map((row): [ClaimedSynthesis, Step] => [row, stepOf(row, known, gates, nowMs)]);
      await take(deps, work, { tx, projectId, gates }, steps);
    },
    putOffSince: (projectId, some) => deps.syntheses.putOffSince(projectId, some),
    putOffReason: 'budget',
  });
  return work;
}

function stepOf(row: ClaimedSynthesis, { datasets, writers }: Known, gates: ProviderGates, nowMs: number): Step {
  const dataset = datasets.get(row.datasetId);
  // An asked row that becomes due has lost its answer, and is asked for again.
  if (dataset?.objective !== row.objective || (row.state === 'asked' && row.failures >= MAX_FAILURES))
    return { kind: 'end' };
  const writer = writerOf(writers, dataset.model);
  if (writer === 'unavailable') return { kind: 'wait', dueAt: nowMs + setupLookMs(nowMs - row.createdAt) };
  if (writer === 'unknown') return { kind: 'wait', dueAt: triedAgainAt(nowMs, 1) };
  const provider = providerKeyOf(row.projectId, writer.model);
  const closedUntil = gates.closedUntil(provider);
  if (closedUntil !== undefined) return { kind: 'wait', dueAt: closedUntil };
  gates.pass(provider);
  return { kind: 'ask', writer, dataset };
}

function setupLookMs(ageMs: number): number {
  return Math.min(LAST_SETUP_LOOK_MS, Math.max(FIRST_SETUP_LOOK_MS, ageMs));
}

interface Taking {
  tx: Transaction;
  projectId: string;
  gates: ProviderGates;
}

async function take(
  { syntheses, decisions, budget, outbox, clock }: AskWritersDependencies,
  { rows, roomOf }: Pick<AskedWork<SynthesisDocument>, 'rows' | 'roomOf'>,
  { tx, projectId, gates }: Taking,
  steps: readonly (readonly [ClaimedSynthesis, Step])[],
): Promise<void> {
  const nowMs = clock.now();
  let room = Math.max(0, await roomOf(tx, projectId, nowMs));
  const messages: AnyOutboxMessage[] = [];
  const asked: ClaimedSynthesis[] = [];
  const ended: ClaimedSynthesis[] = [];
  for (const [row, step] of steps) {
    if (step.kind === 'end') ended.push(row);
    else if (step.kind === 'wait') await rows.settle(tx, [row], { dueAt: step.dueAt });
    else if (room === 0) await rows.settle(tx, [row], { dueAt: row.dueAt ?? nowMs });
    else {
      const limit = step.dataset.dailySyntheses;
      if ((await budget.reserve(tx, budgetOwner(row), { wanted: 1, limit, nowMs })) === 0) {
        await rows.settle(tx, [row], { dueAt: nextDayMs(nowMs) });
        continue;
      }
      room -= 1;
      await gates.ask(providerKeyOf(projectId, step.writer.model));
      if (row.state === 'asked') await syntheses.countFailure(tx, row._id);
      messages.push(commandOf(row, step, nowMs));
      asked.push(row);
    }
  }
  await rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
  await syntheses.asked(tx, asked);
  await rows.settle(tx, ended);
  await decisions.refuseWaiting(tx, ended, nowMs);
  await syntheses.end(
    tx,
    ended.map(({ _id }) => _id),
  );
  await outbox.appendMany(tx, messages);
}

function commandOf(
  row: ClaimedSynthesis,
  { writer, dataset }: Extract<Step, { kind: 'ask' }>,
  nowMs: number,
): AnyOutboxMessage {
  const { _id, projectId, datasetId, objective, round, synthesis, rounds } = row;
  const tries = rounds + 1;
  return outboxMessage(synthesisRequested, {
    ...{ key: `${_id}:${round}:${tries}`, projectId, requestId: null, occurredAt: nowMs },
    data: {
      ...{ datasetId, objective, subject: subjectOf(row), round, synthesis, tries },
      ...{ model: writer.model, capabilities: writer.capabilities, redaction: dataset.redaction },
    },
  });
}
