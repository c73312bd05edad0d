import { setImmediate as nextTurn } from 'node:timers/promises';
import { analysisCompleted, getSnapshot, type ConversationSnapshot, type EnvelopeOf } from '@clew/contracts';
import type { analysisRequested } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, sha256Hex, type Clock } from '@clew/kernel';
import type { MessageContext, Publisher } from '@clew/messaging';
import { evaluateRule, type RuleDefinition } from '@clew/rules';
import type { Logger } from '@clew/runtime';
import { resultParts, type RunResult } from './result-parts.ts';

type AnalysisRequest = EnvelopeOf<typeof analysisRequested>;
type RequestedRun = AnalysisRequest['data']['runs'][number];
type ResultData = EnvelopeOf<typeof analysisCompleted>['data'];

export interface AnalyseDependencies {
  warehouse: ServiceClient;
  publisher: Publisher;
  rules: readonly RuleDefinition[];
  clock: Clock;
}

/** Evaluates the Rules that a command names on its snapshot, and sends what they found back to the owner. */
export function createAnalyse({ warehouse, publisher, rules, clock }: AnalyseDependencies) {
  const ruleById = new Map(rules.map((rule) => [rule.ruleId, rule]));

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

  function evaluate(run: RequestedRun, snapshot: ConversationSnapshot | undefined, logger: Logger): RunResult {
    const { runId, ruleId, configuration } = run;
    const rule = ruleById.get(ruleId);
    if (snapshot === undefined) return { runId, ruleId, outcome: skipped('The snapshot no longer exists') };
    if (rule === undefined) return { runId, ruleId, outcome: skipped('This worker does not know the rule') };
    try {
      const detections = evaluateRule(rule, snapshot, configuration);
      return { runId, ruleId, outcome: { status: 'succeeded', detections } };
    } catch (error) {
      logger.error({ err: error, ruleKey: rule.ruleKey, snapshotId: snapshot.snapshotId }, 'a rule failed');
      return { runId, ruleId, outcome: { status: 'failed', reason: 'The rule could not be evaluated' } };
    }
  }

  async function send(request: AnalysisRequest, data: ResultData): Promise<void> {
    const runIds = data.runs.map(({ runId }) => runId);
    await publisher.publish(analysisCompleted, {
      // The same runs of the same command give the same id, so that their owner takes the result once.
      id: `${analysisCompleted.type}:${sha256Hex([request.id, ...runIds].join('\n'))}`,
      type: analysisCompleted.type,
      version: analysisCompleted.version,
      occurredAt: clock.now(),
      projectId: request.projectId,
      requestId: request.requestId,
      data,
    });
  }

  return async (request: AnalysisRequest, { logger, beat }: Pick<MessageContext, 'logger' | 'beat'>): Promise<void> => {
    const { conversationId, runs: requested } = request.data;
    const snapshot = await readSnapshot(request);
    const results: RunResult[] = [];
    for (const run of requested) {
      results.push(evaluate(run, snapshot, logger));
      beat();
      // Rules compute without a pause; between them the connection's heartbeats and probes get their turn.
      await nextTurn();
    }
    for (const runs of resultParts(results)) {
      await send(request, { conversationId, snapshot: evaluatedSnapshot(request, snapshot), runs });
    }
  };
}

function skipped(reason: string) {
  return { status: 'skipped' as const, reason };
}

function evaluatedSnapshot(
  { data: { snapshotId } }: AnalysisRequest,
  snapshot: ConversationSnapshot | undefined,
): ResultData['snapshot'] {
  // Of one that is gone nothing is known but its name; its runs are skipped, so that nothing else counts.
  if (snapshot === undefined) return { snapshotId, revision: 1, scope: 'traces', startedAt: 0, throughMs: 0 };
  const { revision, scope, startedAt, throughMs } = snapshot;
  return { snapshotId, revision, scope, startedAt, throughMs };
}
