import { getLatestConversation, getReadySnapshot, getSnapshot, type Discovery } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, comeBackLater, notFound, sha256Hex } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { analysisIdOf, ruleKeyOf, type AnalysisStore, type AnalysisTarget, type QueueRuns } from '../analyses/index.ts';
import type { FindingsService } from '../findings/findings.service.ts';
import type { AnalysisResult, ResultMessage } from '../results/analysis-result.ts';
import type { EnabledRules, RunnableRule } from '../rules/index.ts';
import type { EvaluateInThread } from './evaluate-in-thread.ts';
import type { Evaluation } from './evaluation.ts';

export interface DiscoverDependencies {
  database: Database;
  warehouse: ServiceClient;
  analyses: AnalysisStore;
  enabledRules: EnabledRules;
  queueRuns: QueueRuns;
  findings: Pick<FindingsService, 'shownBy'>;
  takeResults: (messages: readonly ResultMessage[]) => Promise<void>;
  evaluate: EvaluateInThread;
}

export interface DiscoverRequest {
  projectId: string;
  /** Undefined for the conversation that began last. */
  conversationId: string | undefined;
  requestId: string;
}

export interface DiscoverService {
  discover(request: DiscoverRequest): Promise<Discovery>;
}

interface Target extends AnalysisTarget {
  requestId: string;
  /** Whether its words have expired, so that no Rule could find anything. */
  isSilent: boolean;
}

const RETRY_AFTER_MS = 5_000;

/**
 * Evaluates the enabled Rules on the latest snapshot of one conversation while the caller waits, and applies the
 * findings like a worker's results. A Rule that succeeded on the snapshot is not run again. An analysis that takes too
 * long is queued for the workers.
 */
export function createDiscoverService(dependencies: DiscoverDependencies): DiscoverService {
  const { database, analyses, enabledRules, queueRuns, findings, takeResults, evaluate } = dependencies;
  const warehouse = createEvidence(dependencies.warehouse);

  async function rulesLeft(target: Target): Promise<RunnableRule[]> {
    if (target.isSilent) return [];
    const rules = await enabledRules.of(target.projectId);
    const known = await database.withTransaction((tx) => analyses.load(tx, [target]));
    const runs = known.get(analysisIdOf(target))?.runs;
    return rules.filter((rule) => runs?.get(ruleKeyOf(rule))?.state !== 'succeeded');
  }

  async function queue(target: Target, rules: readonly RunnableRule[]): Promise<void> {
    await database.withTransaction(async (tx) => {
      await queueRuns(tx, await analyses.load(tx, [target]), [{ ...target, rules, trigger: 'discovery' }]);
    });
  }

  async function analyse(target: Target, rules: readonly RunnableRule[]): Promise<void> {
    const evaluation = await evaluate(target.projectId, { snapshotJson: await warehouse.snapshotJson(target), rules });
    if (evaluation !== undefined) return await takeResults([resultOf(target, evaluation)]);
    await queue(target, rules);
    throw comeBackLater('OVERLOADED', 'The analysis takes longer than this; it goes on, ask again', RETRY_AFTER_MS);
  }

  return {
    async discover(request) {
      const target = await warehouse.targetOf(request);
      const rules = await rulesLeft(target);
      if (rules.length > 0) await analyse(target, rules);
      const { projectId, conversationId } = target;
      const shown = await findings.shownBy(projectId, conversationId);
      return { conversationId, outcome: shown.length > 0 ? 'findings_found' : 'no_findings', findings: shown };
    },
  };
}

/** Reads from the warehouse, and translates its errors to those of this route. */
function createEvidence(warehouse: ServiceClient) {
  async function latestConversation({ projectId, requestId }: DiscoverRequest): Promise<string> {
    return (await warehouse.call(getLatestConversation, { params: { projectId }, requestId })).conversationId;
  }

  return {
    async targetOf(request: DiscoverRequest): Promise<Target> {
      const { projectId, requestId } = request;
      try {
        const conversationId = nameable(request.conversationId ?? (await latestConversation(request)));
        const params = { projectId, conversationId };
        const { snapshotId, state, messageCount } = await warehouse.call(getReadySnapshot, { params, requestId });
        if (state === 'active') throw notReady();
        return { projectId, conversationId, snapshotId, requestId, isSilent: messageCount === 0 };
      } catch (error) {
        throw discoveryError(error);
      }
    },

    async snapshotJson({ projectId, snapshotId, requestId }: Target): Promise<Uint8Array<ArrayBuffer>> {
      try {
        return await warehouse.json(getSnapshot, { params: { projectId, snapshotId }, requestId });
      } catch (error) {
        throw discoveryError(error);
      }
    },
  };
}

/** Refuses names that cannot be requested: a lone surrogate has no UTF-8, and URLs resolve dot segments. */
function nameable(conversationId: string): string {
  const isNameable = conversationId.isWellFormed() && conversationId !== '.' && conversationId !== '..';
  if (!isNameable) throw notFound('CONVERSATION_NOT_FOUND');
  return conversationId;
}

function discoveryError(error: unknown): AppError {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'DISCOVERY_CONVERSATION_NOT_READY') return error as AppError;
  if (code === 'CONVERSATION_NOT_READY') return notReady();
  if (code === 'CONVERSATION_NOT_FOUND' || code === 'NOT_FOUND') {
    return notFound('DISCOVERY_CONVERSATION_NOT_FOUND', 'There is no such conversation');
  }
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'Conversations cannot be read at the moment', 1_000, error);
}

function notReady(): AppError {
  return new AppError('DISCOVERY_CONVERSATION_NOT_READY', 'The conversation is still within its quiet period');
}

/** Result as in a worker's message; equal outcomes of the same Rules have one message id. */
function resultOf(target: Target, { snapshot, runs, diagnosis }: Evaluation): ResultMessage {
  const { projectId, conversationId, snapshotId, requestId } = target;
  const ruleCount = runs.filter(({ outcome }) => outcome.status === 'succeeded').length;
  const result: AnalysisResult = {
    ...{ projectId, conversationId, snapshotId, requestId, snapshot, runs },
    diagnosis: diagnosis && { snapshotId, revision: snapshot.revision, ruleCount, ...diagnosis },
  };
  const outcomes = runs.map(({ rule, outcome }) => `${ruleKeyOf(rule)} ${outcome.status}`);
  return {
    id: `discover:${sha256Hex([analysisIdOf(target), ...outcomes].join('\n'))}`,
    results: [result],
    prompts: [],
  };
}
