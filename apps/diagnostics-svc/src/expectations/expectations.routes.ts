import {
  checkExpectation,
  createExpectation,
  deleteExpectation,
  getExpectation,
  listExpectations,
  updateExpectation,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { rulesUnavailable } from '../rules/index.ts';
import type { DryRun } from './dry-run.ts';
import { expectationEtag, expectationView, type StoredExpectation } from './expectation.ts';
import type { CheckExpectation, ExpectationsService } from './expectations.service.ts';

export interface ExpectationServices {
  expectations: ExpectationsService;
  dryRun: DryRun;
}

/** Routes for Expectations; `services` is undefined if the rule service is not mounted. */
export function expectationRoutes(services: ExpectationServices | undefined): Route[] {
  const mounted = (): ExpectationServices => {
    if (services === undefined) throw rulesUnavailable();
    return services;
  };
  return [
    route(listExpectations, async ({ params, query }) =>
      answer(200, await mounted().expectations.list(params.projectId, query)),
    ),
    route(createExpectation, async ({ params, body }, { attempt }) =>
      createdReply(
        await mounted().expectations.create(params.projectId, body, async (tx, created) => {
          await attempt?.record(tx, createdReply(created));
        }),
      ),
    ),
    route(getExpectation, async ({ params }) => foundReply(await mounted().expectations.get(params))),
    route(updateExpectation, async ({ params, body }, context) =>
      foundReply(await mounted().expectations.update(params, body, preconditionCheck(context))),
    ),
    route(deleteExpectation, async ({ params }, context) => {
      const isGone = await mounted().expectations.remove(params, preconditionCheck(context));
      return isGone ? answer(204, null) : answer(202, { id: params.expectationId, status: 'deleting' as const });
    }),
    route(checkExpectation, async ({ params }, { requestId }) => {
      const { expectations, dryRun } = mounted();
      return answer(200, await dryRun(await expectations.get(params), requestId));
    }),
  ];
}

function createdReply(expectation: StoredExpectation) {
  const { projectId, id } = expectation;
  const location = `/v1/projects/${projectId}/diagnostics/expectations/${id}`;
  return answer(201, expectationView(expectation), { location, etag: expectationEtag(expectation) });
}

function foundReply(expectation: StoredExpectation) {
  return answer(200, expectationView(expectation), { etag: expectationEtag(expectation) });
}

function preconditionCheck({ request }: RequestContext): CheckExpectation {
  const precondition = preconditionOf(request);
  return (current) => precondition.check(expectationEtag(current));
}
