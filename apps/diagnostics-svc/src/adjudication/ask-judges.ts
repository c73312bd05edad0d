import {
  adjudicationRequested,
  MAX_CANDIDATES,
  providerKeyOf,
  type RuleConfiguration,
  type Waiting,
} from '@clew/contracts';
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
  type Database,
  type TaskLoop,
  type Outbox,
  type ProviderGates,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { Occurrence } from '../findings/occurrence.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import { adjudicationCollection, type AdjudicationDocument, type VerdictDocument } from './adjudication.model.ts';
import { verdictIdOf, type AdjudicationTarget } from './adjudication.ts';
import type { AdjudicationStore, ClaimedAdjudication } from './adjudications.store.ts';
import type { BudgetStore } from './budget.store.ts';
import { judgeNamedBy, type Judge, type JudgeOrNot, type Judges } from './judges.ts';
import type { VerdictWriter } from './verdict-writer.ts';

/** Configurations of the Rules that a project runs, by Rule. */
export type ConfigurationsOf = (projectId: string) => Promise<ReadonlyMap<string, RuleConfiguration>>;

export interface AskJudgesDependencies {
  database: Database;
  adjudications: AdjudicationStore;
  budgets: BudgetStore;
  /** Circuits of the projects' providers. */
  circuits: Circuits;
  /** Adjudications that workers may have in hand, in all and for one project. */
  capacity(): Capacity;
  judges: Judges;
  verdicts: VerdictWriter;
  configurationsOf: ConfigurationsOf;
  settings: SettingsStore;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Findings of one Rule in one conversation. */
interface FoundByRule {
  conversationId: string;
  ruleId: string;
}

/** Decision about one row. */
type Step =
  | { kind: 'end' }
  | { kind: 'apply'; verdict: VerdictDocument }
  | { kind: 'wait'; dueAt: number; isFailure: boolean }
  | { kind: 'ask'; judge: Judge; target: AdjudicationTarget; shown: readonly Occurrence[] };

/** Judges that a project's Rules name, read before the transaction. */
interface Known {
  judgeOf(row: ClaimedAdjudication): JudgeOrNot;
  judges: readonly JudgeOrNot[];
  dailyAdjudications: number;
}

/**
 * Requests due adjudications from judges. A row that is no longer wanted, or that no model can judge, ends; the result
 * of the Rule then stands.
 */
export interface AskJudges {
  start(): TaskLoop;
  wake(): void;
  /** Reconsiders the adjudications that wait for budget or a provider. */
  release(projectId: string): Promise<void>;
  /** Tells why a judge was not asked yet about the findings of a Rule in a conversation; `undefined` if none waits. */
  waitingOf(projectId: string, found: FoundByRule): Promise<Waiting | undefined>;
}

const GROUP_SIZE = 50;
/** Attempts while the Model Runtime is away; after some hours the result of the Rule stands for good. */
const MAX_ATTEMPTS = 30;
/** Poll interval in milliseconds for a provider on trial, in case nobody reports that it answers. */
const LOOK_AGAIN_MS = 60_000;
const MAX_EVIDENCE = 8;

export function createAskJudges(deps: AskJudgesDependencies): AskJudges {
  const { database, adjudications, circuits, clock } = deps;
  const work = createAskedWork<AdjudicationDocument, FoundByRule, Known, void>({
    ...{ name: 'adjudication', database, circuits, clock, logger: deps.logger, capacity: deps.capacity },
    ...{ collection: adjudicationCollection(database.connection), groupSize: GROUP_SIZE, maxAttempts: MAX_ATTEMPTS },
    pollMs: deps.pollMs,
    look: (projectId, claimed) => look(deps, projectId, claimed),
    decide,
    putOffSince: (projectId, found) => adjudications.putOffSince(projectId, found),
    putOffReason: 'budget',
  });

  async function decide(
    tx: Transaction,
    projectId: string,
    claimed: readonly ClaimedAdjudication[],
    known: Known,
  ): Promise<void> {
    const keys = known.judges.flatMap((judge) =>
      typeof judge === 'string' ? [] : [providerKeyOf(projectId, judge.model)],
    );
    const gates = await readProviderGates(tx, circuits, { keys, nowMs: clock.now(), lookAgainMs: LOOK_AGAIN_MS });
    const steps: [ClaimedAdjudication, Step][] = [];
    for (const row of claimed) steps.push([row, await stepOf(deps, tx, row, known.judgeOf(row), gates)]);
    await take(deps, work, tx, projectId, steps, { gates, limit: known.dailyAdjudications });
  }

  return {
    start: () => work.start(),
    wake: () => work.wake(),
    release: (projectId) => work.release({ projectId, state: 'due' }),
    waitingOf: (projectId, found) => work.waitingOf(projectId, found),
  };
}

async function look(
  { configurationsOf, judges, settings }: AskJudgesDependencies,
  projectId: string,
  claimed: readonly ClaimedAdjudication[],
): Promise<Known> {
  const configurations = await configurationsOf(projectId);
  const named = (ruleId: string) => {
    const configuration = configurations.get(ruleId);
    return configuration === undefined ? undefined : judgeNamedBy(configuration);
  };
  const names = new Set(claimed.flatMap(({ ruleId, state }) => (state === 'due' ? (named(ruleId) ?? []) : [])));
  const [found, { dailyAdjudications }] = await Promise.all([
    judges.find(projectId, [...names]),
    settings.get(projectId),
  ]);
  return {
    dailyAdjudications,
    judges: [...found.values()],
    judgeOf({ ruleId }) {
      const name = named(ruleId);
      return name === undefined ? 'unavailable' : (found.get(name) ?? 'unavailable');
    },
  };
}

async function stepOf(
  { adjudications, verdicts, clock }: AskJudgesDependencies,
  tx: Transaction,
  row: ClaimedAdjudication,
  judge: JudgeOrNot,
  gates: ProviderGates,
): Promise<Step> {
  if (row.state === 'asked' || judge === 'unavailable') return { kind: 'end' };
  if (judge === 'unknown') {
    if (row.failures >= MAX_FAILURES) return { kind: 'end' };
    return { kind: 'wait', dueAt: triedAgainAt(clock.now(), row.failures + 1), isFailure: true };
  }
  const target = targetOf(row);
  const verdictId = verdictIdOf(target, judge.model);
  const verdict = (await adjudications.verdicts(tx, [verdictId])).get(verdictId);
  if (verdict !== undefined) return { kind: 'apply', verdict };
  const shown = await verdicts.shownBy(tx, target);
  // A newer snapshot has replaced this one.
  if (shown.length === 0) return { kind: 'end' };
  const provider = providerKeyOf(row.projectId, judge.model);
  const closedUntil = gates.closedUntil(provider);
  if (closedUntil !== undefined) return { kind: 'wait', dueAt: closedUntil, isFailure: false };
  gates.pass(provider);
  return { kind: 'ask', judge, target, shown };
}

/** Requests as many adjudications as the project has room and budget for; the rest waits. */
async function take(
  { adjudications, budgets, verdicts, outbox, clock }: AskJudgesDependencies,
  work: Pick<AskedWork<AdjudicationDocument>, 'rows' | 'roomOf'>,
  tx: Transaction,
  projectId: string,
  steps: readonly (readonly [ClaimedAdjudication, Step])[],
  { gates, limit }: { gates: ProviderGates; limit: number },
): Promise<void> {
  const nowMs = clock.now();
  const asking = steps.filter(([, { kind }]) => kind === 'ask');
  const room = await work.roomOf(tx, projectId, nowMs);
  const wanted = Math.min(asking.length, Math.max(0, room));
  const granted = wanted === 0 ? 0 : await budgets.reserve(tx, projectId, wanted, limit, nowMs);
  const parkedUntil = new Map(
    asking.slice(granted).map(([row], index) => [row, granted + index < wanted ? nextDayMs(nowMs) : row.dueAt]),
  );
  const messages: AnyOutboxMessage[] = [];
  const asked: ClaimedAdjudication[] = [];
  const ended: ClaimedAdjudication[] = [];
  for (const [row, step] of steps) {
    const dueAt = parkedUntil.get(row);
    if (dueAt !== undefined) await work.rows.settle(tx, [row], { dueAt });
    else if (step.kind === 'wait') {
      await work.rows.settle(tx, [row], { dueAt: step.dueAt });
      if (step.isFailure) await adjudications.countFailure(tx, row._id);
    } else if (step.kind === 'ask') {
      await gates.ask(providerKeyOf(projectId, step.judge.model));
      messages.push(commandOf(row, step, nowMs));
      asked.push(row);
    } else {
      if (step.kind === 'apply') await verdicts.apply(tx, step.verdict, row.requestId);
      ended.push(row);
    }
  }
  await work.rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
  await adjudications.asked(tx, asked);
  await adjudications.end(tx, ended);
  await outbox.appendMany(tx, messages);
}

function targetOf({
  projectId,
  conversationId,
  snapshotId,
  ruleId,
  revision,
}: Pick<
  AdjudicationDocument,
  'projectId' | 'conversationId' | 'snapshotId' | 'ruleId' | 'revision'
>): AdjudicationTarget {
  const rule = revision === null ? { ruleId } : { ruleId, revision };
  return { projectId, conversationId, snapshotId, rule };
}

function commandOf(
  row: ClaimedAdjudication,
  { judge, target, shown }: Extract<Step, { kind: 'ask' }>,
  occurredAt: number,
): AnyOutboxMessage {
  const { projectId, ...rest } = target;
  const { model, capabilities, accuracy } = judge;
  const round = row.rounds + 1;
  return outboxMessage(adjudicationRequested, {
    key: `${row._id}:${round}`,
    ...{ projectId, requestId: row.requestId, occurredAt },
    data: {
      ...{ ...rest, model, accuracy, round },
      capabilities,
      candidates: shown.slice(0, MAX_CANDIDATES).map(({ detection }) => ({
        clusterFingerprint: detection.clusterFingerprint,
        title: detection.title,
        summary: detection.summary,
        evidence: detection.evidence.slice(0, MAX_EVIDENCE).map(({ location }) => ({
          stepIndex: location.stepIndex,
          quotes: location.quotes.map(({ quote }) => quote),
        })),
      })),
    },
  });
}
