import { analysisCompleted, getSnapshot, type ConversationSnapshot, type EnvelopeOf } from '@clew/contracts';
import type { analysisRequested } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, sha256Hex, type Clock } from '@clew/kernel';
import type { Publisher } from '@clew/messaging';
import { evaluateRule, type RuleDefinition } from '@clew/rules';
import type { Logger } from '@clew/runtime';

type AnalysisRequest = EnvelopeOf<typeof analysisRequested>;
type AnalysisData = EnvelopeOf<typeof analysisCompleted>['data'];
type RunOutcome = AnalysisData['runs'][number]['outcome'];

export interface AnalyseDependencies {
  warehouse: ServiceClient;
  publisher: Publisher;
  rules: readonly RuleDefinition[];
  clock: Clock;
}

/** Evaluates the Rules that a command names on its snapshot, and sends what they found back to the owner. */
export function createAnalyse({ warehouse, publisher, rules, clock }: AnalyseDependencies) {
  const ruleById = new Map(rules.map((rule) => [rule.ruleId, rule]));

  return async (request: AnalysisRequest, logger: Logger): Promise<void> => {
    const snapshot = await readSnapshot(request);
    const runs = request.data.runs.map((run) => ({
      runId: run.runId,
      ruleId: run.ruleId,
      outcome: snapshot === undefined ? GONE : evaluate(run, snapshot, logger),
    }));
    await publisher.publish(analysisCompleted, {
      // The same command gives the same id, so that its owner takes the result once.
      id: `${analysisCompleted.type}:${sha256Hex(request.id).slice(0, 32)}`,
      type: analysisCompleted.type,
      version: analysisCompleted.version,
      occurredAt: clock.now(),
      projectId: request.projectId,
      requestId: request.requestId,
      data: { conversationId: request.data.conversationId, snapshot: viewOf(request, snapshot), runs },
    });
  };

  async function readSnapshot({ projectId, requestId, data }: AnalysisRequest) {
    try {
      return await warehouse.call(getSnapshot, {
        params: { projectId, snapshotId: data.snapshotId },
        ...(requestId === null ? {} : { requestId }),
      });
    } catch (error) {
      // Retention may have removed it since; that is no failure of the run.
      if (error instanceof AppError && error.status === 404) return undefined;
      throw error;
    }
  }

  function evaluate(
    run: AnalysisRequest['data']['runs'][number],
    snapshot: ConversationSnapshot,
    logger: Logger,
  ): RunOutcome {
    const rule = ruleById.get(run.ruleId);
    if (rule === undefined) return { status: 'skipped', reason: 'This worker does not know the rule' };
    try {
      return { status: 'succeeded', detections: evaluateRule(rule, snapshot, run.configuration) };
    } catch (error) {
      logger.error({ err: error, ruleKey: rule.ruleKey, snapshotId: snapshot.snapshotId }, 'a rule failed');
      return { status: 'failed', reason: 'The rule could not be evaluated' };
    }
  }
}

const GONE: RunOutcome = { status: 'skipped', reason: 'The snapshot no longer exists' };

function viewOf({ data }: AnalysisRequest, snapshot: ConversationSnapshot | undefined): AnalysisData['snapshot'] {
  if (snapshot === undefined) {
    return { snapshotId: data.snapshotId, revision: 1, scope: 'traces', startedAt: 0, throughMs: 0 };
  }
  const { snapshotId, revision, scope, startedAt, throughMs } = snapshot;
  return { snapshotId, revision, scope, startedAt, throughMs };
}
