import {
  abandonWorkItem,
  createWorkItem,
  getWorkItem,
  listProjectWorkItems,
  listWorkItems,
  replaceWorkItem,
  retryWorkItem,
  syncWorkItem,
  type Finding,
} from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import { AppError } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { requesterOf } from '../findings/findings.routes.ts';
import type { StoredFinding } from '../findings/finding.ts';
import { workItemView, type StoredWorkItem } from './work-item.ts';
import type { WorkItemsService } from './work-items.service.ts';

export interface WorkItemRoutes {
  items: WorkItemsService;
  viewOf: (finding: StoredFinding) => Finding;
  withTransaction: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
}

/** Routes of work items; without the service they answer that it is not mounted. */
export function workItemRoutes(mounted: WorkItemRoutes | undefined): Route[] {
  const served = () => {
    if (mounted !== undefined) return mounted;
    throw new AppError('FINDING_WORK_ITEMS_UNAVAILABLE', 'The work item service is not mounted in this deployment');
  };
  /** Answers with a new work item, and keeps the answer for repeats of the request. */
  const created = async (item: StoredWorkItem, { attempt }: RequestContext) => {
    const reply = createdReply(item);
    if (attempt !== undefined) await served().withTransaction((tx) => attempt.record(tx, reply));
    return reply;
  };
  return [
    route(listProjectWorkItems, async ({ params, query }) =>
      answer(200, await served().items.list(params.projectId, query)),
    ),
    route(listWorkItems, async ({ params, query }) => answer(200, await served().items.listOfFinding(params, query))),
    route(getWorkItem, async ({ params }) => answer(200, workItemView(await served().items.require(params)))),
    route(createWorkItem, async ({ params, body }, context) =>
      created(await served().items.create(params, body, askerOf(context)), context),
    ),
    route(replaceWorkItem, async ({ params, body }, context) =>
      created(await served().items.replace(params, body, askerOf(context)), context),
    ),
    route(retryWorkItem, async ({ params }, context) =>
      answer(200, workItemView(await served().items.retry(params, requesterOf(context)))),
    ),
    route(abandonWorkItem, async ({ params }, context) =>
      answer(200, workItemView(await served().items.abandon(params, requesterOf(context)))),
    ),
    route(syncWorkItem, async ({ params }, context) => {
      const { items, viewOf } = served();
      const { outcome, finding } = await items.sync(params, requesterOf(context));
      return answer(200, { outcome, finding: viewOf(finding) });
    }),
  ];
}

function askerOf(context: RequestContext) {
  return { ...requesterOf(context), attempt: context.attempt };
}

function createdReply(item: StoredWorkItem) {
  const { projectId, findingId, id } = item;
  const location = `/v1/projects/${projectId}/diagnostics/findings/${findingId}/work-items/${id}`;
  return answer(201, workItemView(item), { location });
}
