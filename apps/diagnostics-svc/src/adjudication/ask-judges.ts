import { adjudicationRequested, MAX_CANDIDATES, type RuleConfiguration } from '@clew/contracts';
import { backoffMs, describeError, type BackOff, type Clock } from '@clew/kernel';
import {
  createDueRows,
  outboxMessage,
  startDueLoop,
  type AnyOutboxMessage,
  type Database,
  type DueLoop,
  type DueRows,
  type Outbox,
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
  | { kind: 'wait'; dueAt: number }
  | { kind: 'ask'; judge: Judge; target: AdjudicationTarget; shown: readonly Occurrence[] };

const LEASE_MS = 60_000;
const GROUP_SIZE = 50;
/** Of a runtime that is away: after some hours the deterministic result stands for good. */
const MAX_ATTEMPTS = 30;
/** An answer comes, or the command is a dead letter, long before. */
const ANSWER_WITHIN_MS = 24 * 3_600_000;
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
  #loop: DueLoop | undefined;

  constructor(deps: AskJudgesDependencies) {
    this.#deps = deps;
    const collection = adjudicationCollection(deps.database.connection);
    this.#rows = createDueRows(collection, { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS });
  }

  start(): DueLoop {
    const { clock, logger } = this.#deps;
    this.#loop = startDueLoop({
      ...{ name: 'adjudication', rows: this.#rows, clock, logger, limit: GROUP_SIZE },
      handle: async (claimed, { beat }) => {
        for (const [projectId, ofProject] of Map.groupBy(claimed, (row) => row.projectId)) {
          beat();
          await this.handle(projectId, ofProject);
        }
      },
    });
    return this.#loop;
  }

  wake(): void {
    this.#loop?.wake();
  }

  /** There may be budget again: what waits for it is looked at anew. */
  async budgetChanged(projectId: string): Promise<void> {
    await this.#rows.makeDue({ projectId, state: 'due' }, this.#deps.clock.now());
    this.wake();
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
      const steps: [ClaimedAdjudication, Step][] = [];
      for (const row of claimed) {
        const name = named(row.ruleId);
        steps.push([row, await this.#stepOf(tx, row, name === undefined ? 'unavailable' : found.get(name))]);
      }
      await this.#take(tx, projectId, steps, dailyAdjudications);
    });
  }

  async #stepOf(tx: Transaction, row: ClaimedAdjudication, judge: JudgeOrNot = 'unavailable'): Promise<Step> {
    const { adjudications, verdicts, clock } = this.#deps;
    if (row.state === 'asked' || judge === 'unavailable') return { kind: 'end' };
    if (judge === 'unknown') {
      if (row.failures >= MAX_FAILURES) return { kind: 'end' };
      return { kind: 'wait', dueAt: triedAgainAt(clock.now(), row.failures + 1) };
    }
    const target = targetOf(row);
    const verdictId = verdictIdOf(target, judge.model);
    const verdict = (await adjudications.verdicts(tx, [verdictId])).get(verdictId);
    if (verdict !== undefined) return { kind: 'apply', verdict };
    const shown = await verdicts.shownBy(tx, target);
    // A newer snapshot has taken its place.
    if (shown.length === 0) return { kind: 'end' };
    return { kind: 'ask', judge, target, shown };
  }

  async #take(
    tx: Transaction,
    projectId: string,
    steps: readonly (readonly [ClaimedAdjudication, Step])[],
    limit: number,
  ): Promise<void> {
    const { adjudications, budgets, verdicts, outbox, clock } = this.#deps;
    const nowMs = clock.now();
    const asking = steps.filter(([, { kind }]) => kind === 'ask');
    const granted = asking.length === 0 ? 0 : await budgets.reserve(tx, projectId, asking.length, limit, nowMs);
    const parked = new Set(asking.slice(granted).map(([row]) => row));
    const messages: AnyOutboxMessage[] = [];
    const asked: ClaimedAdjudication[] = [];
    const ended: ClaimedAdjudication[] = [];
    for (const [row, step] of steps) {
      if (parked.has(row)) await this.#rows.settle(tx, [row], { dueAt: nextDayMs(nowMs) });
      else if (step.kind === 'wait') {
        await this.#rows.settle(tx, [row], { dueAt: step.dueAt });
        await adjudications.countFailure(tx, row._id);
      } else if (step.kind === 'ask') {
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
