import {
  assignFinding,
  commentOnFinding,
  countFindingOccurrences,
  countFindings,
  getFinding,
  getFindingActivity,
  listFindingActivity,
  listFindingOccurrences,
  listFindings,
  readFindingSeries,
  snoozeFinding,
  updateFinding,
  updateFindings,
  type Waiting,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { errorBody } from '@clew/kernel';
import type { Activity, Actor } from './activity/index.ts';
import type { ChangeOutcome, ChangesService } from './changes/index.ts';
import { findingEtag } from './finding-view.ts';
import type { FindingHead, StoredFinding } from './finding.ts';
import { activityView, type FindingsService } from './findings.service.ts';

/** Tells why a model was not asked yet about the findings of a Rule in a conversation; `undefined` if none waits. */
export type WaitingOf = (
  projectId: string,
  found: { conversationId: string; ruleId: string },
) => Promise<Waiting | undefined>;

export function findingRoutes(findings: FindingsService, changes: ChangesService, waitingOf: WaitingOf): Route[] {
  const reply = (finding: StoredFinding) => answer(200, changes.viewOf(finding), { etag: findingEtag(finding) });
  return [
    route(listFindings, async ({ params, query }, context) =>
      answer(200, await findings.list(params.projectId, query, requesterOf(context).actor.id)),
    ),
    route(countFindings, async ({ params, query }, context) =>
      answer(200, await findings.counts(params.projectId, query, requesterOf(context).actor.id)),
    ),
    route(readFindingSeries, async ({ params, query }) => answer(200, await findings.series(params.projectId, query))),
    route(getFinding, async ({ params }) => {
      const finding = await findings.get(params);
      const view = changes.viewOf(finding);
      const { conversationId, metadata } = view;
      const { ruleId } = metadata.diagnosticRule;
      const adjudicationWaiting = await waitingOf(params.projectId, { conversationId, ruleId });
      const waiting = adjudicationWaiting === undefined ? {} : { adjudicationWaiting };
      return answer(200, { ...view, ...waiting }, { etag: findingEtag(finding) });
    }),
    route(updateFinding, async ({ params, body }, context) =>
      reply(await changes.change(params, body, conditionsOf(context))),
    ),
    route(assignFinding, async ({ params, body }, context) =>
      reply(await changes.change(params, body, conditionsOf(context))),
    ),
    route(snoozeFinding, async ({ params, body }, context) =>
      reply(await changes.change(params, body, conditionsOf(context))),
    ),
    route(updateFindings, async ({ params, body }, context) => {
      const { findingIds, change } = body;
      const outcomes = await changes.changeMany(params.projectId, findingIds, change, requesterOf(context));
      return answer(200, { results: outcomes.map(outcomeView) });
    }),
    ...historyRoutes(findings, changes),
  ];
}

function historyRoutes(findings: FindingsService, changes: ChangesService): Route[] {
  return [
    route(listFindingOccurrences, async ({ params, query }) => answer(200, await findings.occurrences(params, query))),
    route(countFindingOccurrences, async ({ params, query }) =>
      answer(200, await findings.occurrenceCounts(params, query)),
    ),
    route(listFindingActivity, async ({ params, query }) => answer(200, await findings.activity(params, query))),
    route(getFindingActivity, async ({ params }) =>
      answer(200, await findings.activityEntry(params, params.activityId)),
    ),
    route(commentOnFinding, async ({ params, body }, context) =>
      commentReply(
        await changes.comment(params, body.text, requesterOf(context), async (tx, comment) => {
          await context.attempt?.record(tx, commentReply(comment));
        }),
      ),
    ),
  ];
}

function commentReply(comment: Activity) {
  const { projectId, findingId, id } = comment;
  const location = `/v1/projects/${projectId}/diagnostics/findings/${findingId}/activity/${id}`;
  return answer(201, activityView(comment), { location });
}

function outcomeView({ findingId, outcome, error }: ChangeOutcome) {
  if (error === undefined) return { findingId, outcome };
  const { requestId: _, details, ...refusal } = errorBody(error, '');
  return { findingId, outcome, error: { ...refusal, ...(details === undefined ? {} : { details: [...details] }) } };
}

/** Requester, and a check that the Finding still has the version that the requester has seen. */
export function conditionsOf(context: RequestContext) {
  const precondition = preconditionOf(context.request);
  return {
    ...requesterOf(context),
    check: (current: Pick<FindingHead, 'id' | 'revision'>) => precondition.check(findingEtag(current)),
  };
}

/** Requester of a change. */
export function requesterOf({ caller, requestId }: RequestContext) {
  if (caller === undefined) throw new Error('Nobody is known to call a route that needs an identity');
  const { kind, id } = caller.principal;
  return { requestId, actor: { kind, id } satisfies Actor };
}
