import { analysisRequested, resolveSnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, sha256Hex, type Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import type { RuleDefinition } from '@clew/rules';
import { queuedRun, type RunTarget } from './analysis-run.ts';
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

export type RunsService = ReturnType<typeof createRunsService>;

/** Queues Analysis Runs: the command to the workers is written in the transaction that makes the runs. */
export function createRunsService({ database, runs, outbox, warehouse, rules, clock }: RunsDependencies) {
  async function schedule(target: RunTarget, requestId: string | null): Promise<ScheduledRuns> {
    const now = clock.now();
    const wanted = rules.map(({ ruleId }) => queuedRun(target, ruleId, now));
    const created = await database.withTransaction(async (tx) => {
      const fresh = await runs.insertNew(tx, wanted);
      if (fresh.length === 0) return fresh;
      await outbox.append(tx, analysisRequested, {
        key: `${target.snapshotId}:${sha256Hex(fresh.map(({ id }) => id).join()).slice(0, 16)}`,
        projectId: target.projectId,
        requestId,
        occurredAt: now,
        data: {
          conversationId: target.conversationId,
          snapshotId: target.snapshotId,
          runs: fresh.map(({ id, ruleId }) => ({ runId: id, ruleId, configuration: configurationOf(ruleId) })),
        },
      });
      return fresh;
    });
    return { enabledRules: rules.length, runsCreated: created.length };
  }

  function configurationOf(ruleId: string) {
    const rule = rules.find((candidate) => candidate.ruleId === ruleId);
    if (rule === undefined) throw new Error(`There is no rule ${ruleId}`);
    return rule.defaultConfiguration;
  }

  return {
    schedule,

    /** Runs on the conversation up to `lastActivityAt`; CONVERSATION_NOT_FOUND for one that is unknown or later. */
    async request({ projectId, conversationId, lastActivityAt, traceIds, requestId }: RunRequest) {
      const narrowed = traceIds !== undefined && traceIds.length > 0 ? { traceIds: [...traceIds] } : {};
      const { snapshotId } = await warehouse.call(resolveSnapshot, {
        params: { projectId, conversationId },
        body: { throughMs: lastActivityAt, ...narrowed },
        requestId,
      });
      return schedule({ projectId, conversationId, snapshotId }, requestId);
    },
  };
}

/** For a deployment in which the rule service is not mounted. */
export function rulesUnavailable(): AppError {
  return new AppError('DIAGNOSTIC_RULES_UNAVAILABLE', 'The rule service is not mounted in this deployment');
}
