import { resolveSnapshot, type AnalysisRuns, type AnalysisRunsQuery } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, comeBackLater, notFound, page, type CursorCodec } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { EnabledRules } from '../rules/index.ts';
import { stateOf, type Analysis } from './analysis.ts';
import { ANALYSES, type AnalysisStore } from './analyses.store.ts';
import type { QueueRuns } from './queue-runs.ts';

export interface AnalysesDependencies {
  database: Database;
  analyses: AnalysisStore;
  queueRuns: QueueRuns;
  enabledRules: EnabledRules;
  warehouse: ServiceClient;
  cursors: CursorCodec;
  /** Whether a project has its conversations read, which counts as one more enabled Rule. */
  isReviewed(projectId: string): Promise<boolean>;
}

export interface QueuedRuns {
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

export interface AnalysesService {
  /**
   * Queues a run of each enabled Rule on the conversation up to a time. Throws CONVERSATION_NOT_FOUND if the
   * conversation is unknown or began later.
   */
  request(request: RunRequest): Promise<QueuedRuns>;
  list(
    projectId: string,
    query: AnalysisRunsQuery,
  ): Promise<{ analysisRuns: AnalysisRuns[]; nextCursor: string | null }>;
  get(projectId: string, analysisId: string): Promise<AnalysisRuns>;
}

export function createAnalysesService(dependencies: AnalysesDependencies): AnalysesService {
  const { database, analyses, queueRuns, enabledRules, warehouse, cursors, isReviewed } = dependencies;

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
      // Any other error of the warehouse is not the caller's fault.
      throw comeBackLater('UPSTREAM_UNAVAILABLE', 'Conversations cannot be read at the moment', 1_000, error);
    }
  }

  return {
    async request(request) {
      const { projectId, conversationId, requestId } = request;
      const snapshotId = await snapshotOf(request);
      const rules = await enabledRules.of(projectId);
      const wanted = [{ projectId, conversationId, snapshotId, requestId, rules, trigger: 'request' as const }];
      const runsCreated = await database.withTransaction(async (tx) =>
        queueRuns(tx, await analyses.load(tx, wanted), wanted),
      );
      return { enabledRules: rules.length + ((await isReviewed(projectId)) ? 1 : 0), runsCreated };
    },

    async list(projectId, { limit, cursor, ...filter }) {
      const filters = { ...filter, state: filter.state?.join(), trigger: filter.trigger?.join() };
      const found = await page(cursors, ANALYSES, { projectId, filters, limit, cursor }, (slice) =>
        analyses.list(projectId, filter, slice),
      );
      return { analysisRuns: found.items.map(analysisRunsView), nextCursor: found.nextCursor };
    },

    async get(projectId, analysisId) {
      const analysis = await analyses.get(projectId, analysisId);
      if (analysis === undefined) throw notFound();
      return analysisRunsView(analysis);
    },
  };
}

function analysisRunsView(analysis: Analysis): AnalysisRuns {
  const { id, conversationId, snapshotId, createdAt, endedAt, trigger = null, runs, found } = analysis;
  const findingIdsOf = (ruleId: string) => found.find((each) => each.ruleId === ruleId)?.findingIds ?? [];
  return {
    ...{ analysisId: id, conversationId, snapshotId, createdAt, endedAt, state: stateOf(analysis), trigger },
    runs: [...runs.values()].map(({ ruleId, revision, state, reason }) => ({
      ...{ ruleId, ...(revision === undefined ? {} : { revision }), state, reason },
      findingIds: state === 'succeeded' ? [...findingIdsOf(ruleId)] : [],
    })),
  };
}

/**
 * Whether a conversation of that name can be requested: a lone surrogate has no UTF-8, and URLs resolve dot segments.
 */
function canBePathSegment(name: string): boolean {
  return name.isWellFormed() && name !== '.' && name !== '..';
}

function conversationNotFound(): AppError {
  return notFound('CONVERSATION_NOT_FOUND', 'The conversation does not exist up to that time');
}
