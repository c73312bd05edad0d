import { analysisRequested, resolveSnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, comeBackLater, notFound, sha256Hex, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { RuleDefinition } from '@clew/rules';
import { queuedRun, type AnalysisRun, type RunTarget } from './analysis-run.ts';
import type { RunStore } from './runs.store.ts';

export interface RunsDependencies {
  database: Database;
  runs: RunStore;
  outbox: Outbox;
  warehouse: ServiceClient;
  rules: readonly RuleDefinition[];
  clock: Clock;
}

export interface ScheduledRuns {
  enabledRules: number;
  runsCreated: number;
}

export interface RunRequest {
  projectId: string;
  conversationId: string;
  lastActivityAt: number;
  traceIds: readonly string[] | undefined;
  requestId: string;
}

export interface RunsService {
  /** Queues a run of each Rule on a snapshot, except for those that exist. */
  schedule(target: RunTarget, requestId: string | null): Promise<ScheduledRuns>;
  /** The same on the conversation up to `lastActivityAt`; CONVERSATION_NOT_FOUND for an unknown or a later one. */
  request(request: RunRequest): Promise<ScheduledRuns>;
}

export function createRunsService({ database, runs, outbox, warehouse, rules, clock }: RunsDependencies): RunsService {
  async function schedule(target: RunTarget, requestId: string | null): Promise<ScheduledRuns> {
    const nowMs = clock.now();
    const wanted = rules.map(({ ruleId }) => queuedRun(target, ruleId, nowMs));
    const created = await database.withTransaction(async (tx) => {
      const fresh = await runs.insertNew(tx, wanted);
      if (fresh.length > 0) await command(tx, target, fresh, requestId, nowMs);
      return fresh.length;
    });
    return { enabledRules: rules.length, runsCreated: created };
  }

  /** Written in the transaction that makes the runs: no run without its command, no command without its runs. */
  async function command(
    tx: Transaction,
    { projectId, conversationId, snapshotId }: RunTarget,
    fresh: readonly AnalysisRun[],
    requestId: string | null,
    nowMs: number,
  ): Promise<void> {
    const freshByRule = new Map(fresh.map((run) => [run.ruleId, run]));
    await outbox.append(tx, analysisRequested, {
      key: `${snapshotId}:${sha256Hex(fresh.map(({ id }) => id).join()).slice(0, 16)}`,
      projectId,
      requestId,
      occurredAt: nowMs,
      data: {
        conversationId,
        snapshotId,
        runs: rules.flatMap(({ ruleId, defaultConfiguration: configuration }) => {
          const run = freshByRule.get(ruleId);
          return run === undefined ? [] : [{ runId: run.id, ruleId, configuration }];
        }),
      },
    });
  }

  async function snapshotOf({ projectId, conversationId, lastActivityAt, traceIds, requestId }: RunRequest) {
    if (!canBePathSegment(conversationId)) throw conversationNotFound();
    const narrowed = traceIds !== undefined && traceIds.length > 0 ? { traceIds: [...traceIds] } : {};
    try {
      const { snapshotId } = await warehouse.call(resolveSnapshot, {
        params: { projectId, conversationId },
        body: { throughMs: lastActivityAt, ...narrowed },
        requestId,
      });
      return snapshotId;
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONVERSATION_NOT_FOUND') throw conversationNotFound();
      // Whatever else the warehouse says to this service is no fault of the caller's.
      throw comeBackLater('UPSTREAM_UNAVAILABLE', 'Conversations cannot be read at the moment', 1_000, error);
    }
  }

  return {
    schedule,
    async request(request) {
      const { projectId, conversationId, requestId } = request;
      return schedule({ projectId, conversationId, snapshotId: await snapshotOf(request) }, requestId);
    },
  };
}

/** Half a surrogate pair has no UTF-8, and URLs resolve dots away: no conversation of such a name can be asked for. */
function canBePathSegment(name: string): boolean {
  return name.isWellFormed() && name !== '.' && name !== '..';
}

function conversationNotFound(): AppError {
  return notFound('CONVERSATION_NOT_FOUND', 'The conversation does not exist up to that time');
}

/** For a deployment in which the rule service is not mounted. */
export function rulesUnavailable(): AppError {
  return new AppError('DIAGNOSTIC_RULES_UNAVAILABLE', 'The rule service is not mounted in this deployment');
}
