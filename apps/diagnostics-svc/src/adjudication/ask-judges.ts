import {
  adjudicationRequested,
  MAX_CANDIDATES,
  providerKeyOf,
  type RuleConfiguration,
  type Waiting,
} from '@clew/contracts';
import { backoffMs, describeError, type BackOff, type Clock } from '@clew/kernel';
import {
  createDueRows,
  createProjectTurns,
  outboxMessage,
  startDueLoop,
  type AnyOutboxMessage,
  type Capacity,
  type Circuits,
  type Database,
  type DueLoop,
  type DueRows,
  type Outbox,
  type Passage,
  type ProjectTurns,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { Occurrence } from '../findings/occurrence.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import { adjudicationCollection, type AdjudicationDocument, type VerdictDocument } from './adjudication.model.ts';
import { MAX_FAILURES, nextDayMs, verdictIdOf, type AdjudicationTarget } from './adjudication.ts';
import type { AdjudicationStore, ClaimedAdjudication } from './adjudications.store.ts';
import type { BudgetStore } from './budget.store.ts';
import { judgeNamedBy, type Judge, type JudgeOrNot, type Judges } from './judges.ts';
import type { VerdictWriter } from './verdict-writer.ts';

/** How the Rules that a project runs are set, by Rule. */
export type ConfigurationsOf = (projectId: string) => Promise<ReadonlyMap<string, RuleConfiguration>>;

export interface AskJudgesDependencies {
  database: Database;
  adjudications: AdjudicationStore;
  budgets: BudgetStore;
  /** Of the providers of the projects. */
  circuits: Circuits;
  /** How many adjudications workers may have in hand, and of one project among them. */
  capacity(): Capacity;
  judges: Judges;
  verdicts: VerdictWriter;
  configurationsOf: ConfigurationsOf;
  settings: SettingsStore;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
}

/** What is to be done about one row. */
type Step =
  | { kind: 'end' }
  | { kind: 'apply'; verdict: VerdictDocument }
  | { kind: 'wait'; dueAt: number; isFailure: boolean }
  | { kind: 'ask'; judge: Judge; target: AdjudicationTarget; shown: readonly Occurrence[]; isTrial: boolean };

const LEASE_MS = 60_000;
const GROUP_SIZE = 50;
/** Groups of as many projects: one whose models are slow to tell of themselves keeps no other waiting. */
const GROUPS_AT_A_TIME = 4;
/** Of a runtime that is away: after some hours the deterministic result stands for good. */
const MAX_ATTEMPTS = 30;
/** An answer comes, or the command is a dead letter, long before. */
const ANSWER_WITHIN_MS = 24 * 3_600_000;
/** What waits for a provider to show that it answers again, should nobody tell. */
const LOOK_AGAIN_MS = 60_000;
const MAX_EVIDENCE = 8;
const BACK_OFF: BackOff = { firstMs: 10_000, maxMs: 30 * 60_000 };

/** When what failed for a while, so often, is tried again. */
export function triedAgainAt(nowMs: number, failures: number, retryAfterMs = 0): number {
  return nowMs + Math.max(retryAfterMs, backoffMs(failures, BACK_OFF));
}

/**
 * Puts what is due to judges: what a verdict is kept of costs nothing, what the project's day has no budget for waits for
 * the next one. Whatever nobody is to judge, or nobody can, ends here, and what the Rules said stands.
 */
export class AskJudges {
  readonly #deps: AskJudgesDependencies;
  readonly #rows: DueRows<AdjudicationDocument>;
  readonly #turns: ProjectTurns<AdjudicationDocument>;
  #loop: DueLoop | undefined;

  constructor(deps: AskJudgesDependencies) {
    this.#deps = deps;
    const collection = adjudicationCollection(deps.database.connection);
    this.#rows = createDueRows(collection, { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS });
    this.#turns = createProjectTurns({ collection, rows: this.#rows, capacity: deps.capacity });
  }

  start(): DueLoop {
    const { clock, logger } = this.#deps;
    this.#loop = startDueLoop({
      ...{ name: 'adjudication', rows: this.#turns.rows, clock, logger },
      ...{ limit: GROUP_SIZE, concurrency: GROUPS_AT_A_TIME },
      handle: async (claimed) => {
        const [first] = claimed;
        if (first !== undefined) await this.handle(first.projectId, claimed);
      },
    });
    return this.#loop;
  }

  wake(): void {
    this.#loop?.wake();
  }

  /** There may be budget again, or a provider that answers: what waits for it is looked at anew. */
  async release(projectId: string): Promise<void> {
    await this.#rows.makeDue({ projectId, state: 'due' }, this.#deps.clock.now());
    this.wake();
  }

  /** Why a judge was not asked yet about what a Rule found in a conversation; undefined where none is to be asked. */
  async waitingOf(projectId: string, found: { conversationId: string; ruleId: string }): Promise<Waiting | undefined> {
    const { adjudications, circuits, clock } = this.#deps;
    const nowMs = clock.now();
    const place = await this.#turns.placeOf(projectId, found, nowMs);
    if (place !== undefined) return { reason: 'places', ...place };
    const since = await adjudications.putOffSince(projectId, found);
    if (since === undefined) return undefined;
    return { reason: (await circuits.isAnyOpen(projectId, nowMs)) ? 'provider' : 'budget', since };
  }

  async handle(projectId: string, claimed: readonly ClaimedAdjudication[]): Promise<void> {
    const { database, judges, configurationsOf, settings, clock } = this.#deps;
    const configurations = await configurationsOf(projectId);
    const named = (ruleId: string) => {
      const configuration = configurations.get(ruleId);
      return configuration === undefined ? undefined : judgeNamedBy(configuration);
    };
    const names = new Set(claimed.flatMap(({ ruleId, state }) => (state === 'due' ? (named(ruleId) ?? []) : [])));
    let found: ReadonlyMap<string, JudgeOrNot>;
    try {
      found = await judges.find(projectId, [...names]);
    } catch (error) {
      for (const row of claimed) await this.#rows.putOff(row, clock.now(), describeError(error));
      return;
    }
    const { dailyAdjudications } = await settings.get(projectId);
    await database.withTransaction(async (tx) => {
      const passages = await this.#passages(tx, projectId, [...found.values()]);
      const steps: [ClaimedAdjudication, Step][] = [];
      for (const row of claimed) {
        const name = named(row.ruleId);
        const judge = name === undefined ? 'unavailable' : (found.get(name) ?? 'unavailable');
        steps.push([row, await this.#stepOf(tx, row, judge, passages)]);
      }
      await this.#take(tx, projectId, steps, dailyAdjudications);
    });
  }

  async #passages(tx: Transaction, projectId: string, found: readonly JudgeOrNot[]): Promise<Map<string, Passage>> {
    const { circuits, clock } = this.#deps;
    const keys = found.flatMap((judge) => (typeof judge === 'string' ? [] : [providerKeyOf(projectId, judge.model)]));
    return new Map(await circuits.passages(tx, keys, clock.now()));
  }

  async #stepOf(
    tx: Transaction,
    row: ClaimedAdjudication,
    judge: JudgeOrNot,
    passages: Map<string, Passage>,
  ): Promise<Step> {
    const { adjudications, verdicts, clock } = this.#deps;
    const nowMs = clock.now();
    if (row.state === 'asked' || judge === 'unavailable') return { kind: 'end' };
    if (judge === 'unknown') {
      if (row.failures >= MAX_FAILURES) return { kind: 'end' };
      return { kind: 'wait', dueAt: triedAgainAt(nowMs, row.failures + 1), isFailure: true };
    }
    const target = targetOf(row);
    const verdictId = verdictIdOf(target, judge.model);
    const verdict = (await adjudications.verdicts(tx, [verdictId])).get(verdictId);
    if (verdict !== undefined) return { kind: 'apply', verdict };
    const shown = await verdicts.shownBy(tx, target);
    // A newer snapshot has taken its place.
    if (shown.length === 0) return { kind: 'end' };
    const provider = providerKeyOf(row.projectId, judge.model);
    const passage = passages.get(provider);
    if (passage?.kind === 'none') return { kind: 'wait', dueAt: passage.untilMs, isFailure: false };
    const isTrial = passage?.kind === 'one';
    if (isTrial) passages.set(provider, { kind: 'none', untilMs: nowMs + LOOK_AGAIN_MS });
    return { kind: 'ask', judge, target, shown, isTrial };
  }

  async #take(
    tx: Transaction,
    projectId: string,
    steps: readonly (readonly [ClaimedAdjudication, Step])[],
    limit: number,
  ): Promise<void> {
    const { adjudications, budgets, circuits, verdicts, outbox, clock } = this.#deps;
    const nowMs = clock.now();
    const asking = steps.filter(([, { kind }]) => kind === 'ask');
    const room = await this.#turns.roomOf(tx, projectId, nowMs);
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
      if (dueAt !== undefined) await this.#rows.settle(tx, [row], { dueAt });
      else if (step.kind === 'wait') {
        await this.#rows.settle(tx, [row], { dueAt: step.dueAt });
        if (step.isFailure) await adjudications.countFailure(tx, row._id);
      } else if (step.kind === 'ask') {
        if (step.isTrial) await circuits.tried(tx, providerKeyOf(projectId, step.judge.model), nowMs);
        messages.push(commandOf(row, step, nowMs));
        asked.push(row);
      } else {
        if (step.kind === 'apply') await verdicts.apply(tx, step.verdict, row.requestId);
        ended.push(row);
      }
    }
    await this.#rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
    await adjudications.asked(tx, asked);
    await adjudications.end(tx, ended);
    await outbox.appendMany(tx, messages);
  }
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
      capabilities:
        capabilities === null
          ? null
          : {
              jsonMode: capabilities.jsonMode,
              jsonSchema: capabilities.jsonSchema,
              contextLength: capabilities.contextLength,
            },
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
