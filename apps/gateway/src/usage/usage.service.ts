import {
  MAX_USAGE_GROUPS,
  MAX_USAGE_PROJECTS,
  sumInferenceUsage,
  sumIngestUsage,
  type InferenceUsage,
  type IngestUsage,
  type UsageGroup,
  type UsageResponse,
  type UsageRow,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { notFound } from '@clew/kernel';
import type { GatewayCaller } from '../caller.ts';
import type { ProjectStore } from '../projects/projects.store.ts';

export interface UsageDependencies {
  projects: Pick<ProjectStore, 'get' | 'list'>;
  modelRuntime: Pick<ServiceClient, 'call'>;
  warehouse: Pick<ServiceClient, 'call'>;
}

export interface UsageQuery {
  fromDay: string;
  toDay: string;
  by: UsageGroup;
}

export interface UsageService {
  ofProject(caller: GatewayCaller, projectId: string, query: UsageQuery): Promise<UsageResponse>;
  /** Usage of all projects that the caller can reach. */
  ofAll(caller: GatewayCaller, query: UsageQuery): Promise<UsageResponse>;
}

const NO_CALLS = { calls: 0, failedCalls: 0, inputTokens: 0, outputTokens: 0, unpricedTokens: 0, costs: [] };
const NOT_COUNTED = { ingestedBytes: null, ingestedRecords: null, storedBytes: null };
const NOTHING_SENT = { ingestedBytes: 0, ingestedRecords: 0, storedBytes: null };

/** Puts together what the services count, each its own part. */
export function createUsageService({ projects, modelRuntime, warehouse }: UsageDependencies): UsageService {
  async function sum(projectIds: string[], { fromDay, toDay, by }: UsageQuery): Promise<UsageResponse> {
    if (projectIds.length === 0) return { usage: [], isComplete: true };
    const request = { projectIds, fromDay, toDay };
    const [inference, ingest] = await Promise.all([
      modelRuntime.call(sumInferenceUsage, { params: {}, body: { ...request, by } }),
      by === 'day' || by === 'project'
        ? warehouse.call(sumIngestUsage, { params: {}, body: { ...request, by } })
        : undefined,
    ]);
    const rows = joined(inference.usage, ingest?.usage);
    const usage = rows.toSorted(by === 'day' ? byGroup : byTokens).slice(0, MAX_USAGE_GROUPS);
    return { usage, isComplete: inference.isComplete && usage.length === rows.length };
  }

  return {
    async ofProject({ workspaceId }, projectId, query) {
      if ((await projects.get(workspaceId, projectId)) === undefined) throw notFound();
      return await sum([projectId], query);
    },
    async ofAll({ workspaceId, projectIds }, query) {
      const slice = { limit: MAX_USAGE_PROJECTS, after: undefined };
      const { items, next } = await projects.list(workspaceId, projectIds, slice);
      const { usage, isComplete } = await sum(
        items.map(({ id }) => id),
        query,
      );
      return { usage, isComplete: isComplete && next === undefined };
    },
  };
}

function joined(inference: readonly InferenceUsage[], ingest: readonly IngestUsage[] | undefined): UsageRow[] {
  if (ingest === undefined) return inference.map((row) => ({ ...row, ...NOT_COUNTED }));
  const rows = new Map<string, UsageRow>(inference.map((row) => [row.group, { ...row, ...NOTHING_SENT }]));
  for (const { group, ...counted } of ingest) {
    rows.set(group, { ...(rows.get(group) ?? { group, ...NO_CALLS }), ...counted });
  }
  return [...rows.values()];
}

function byGroup(left: UsageRow, right: UsageRow): number {
  return left.group < right.group ? -1 : 1;
}

function byTokens(left: UsageRow, right: UsageRow): number {
  return tokensOf(right) - tokensOf(left) || byGroup(left, right);
}

function tokensOf({ inputTokens, outputTokens }: UsageRow): number {
  return inputTokens + outputTokens;
}
