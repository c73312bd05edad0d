import {
  countExamples,
  createExample,
  createExamples,
  deleteExample,
  getExample,
  listExamples,
  updateExample,
  updateExamples,
  type Example,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import type { RequireRoom } from '../storage/index.ts';
import type { CountExamples } from './example-counts.store.ts';
import type { BatchService } from './batch.service.ts';
import { exampleEtag, type ExamplesService } from './examples.service.ts';
import type { UpdateExamples } from './update-examples.ts';

export interface ExampleUses {
  examples: ExamplesService;
  batches: BatchService;
  update: UpdateExamples;
  count: CountExamples;
  requireRoom: RequireRoom;
}

export function exampleRoutes({ examples, batches, update, count, requireRoom }: ExampleUses): Route[] {
  return [
    route(createExample, async ({ params, body }, { attempt, requestId }) => {
      await requireRoom(params.projectId);
      const created = await examples.create(params, body, requestId, async (tx, example) => {
        await attempt?.record(tx, createdReply(example));
      });
      return createdReply(created);
    }),
    batchRoute(batches, requireRoom),
    route(updateExamples, async ({ params, body }, { attempt, requestId }) => {
      const results = await update(params, body, requestId, async (tx, some) => {
        await attempt?.record(tx, answer(200, { results: some }));
      });
      return answer(200, { results });
    }),
    route(listExamples, async ({ params, query }) => answer(200, await examples.list(params, query))),
    // Before getExample, which would take `counts` for an id.
    route(countExamples, async ({ params, query }) => {
      const { by = [], ...filter } = query;
      return answer(200, await count(params, filter, by));
    }),
    route(getExample, async ({ params, query }) => foundReply(await examples.get(params, query.version))),
    route(updateExample, async ({ params, body }, context) =>
      foundReply(await examples.update(params, body, conditionsOf(context))),
    ),
    route(deleteExample, async ({ params, query }, context) => {
      await examples.remove(params, query.erase, conditionsOf(context));
      return answer(204, null);
    }),
  ];
}

function batchRoute(batches: BatchService, requireRoom: RequireRoom): Route {
  return route(createExamples, async ({ params, query, body }, { attempt, requestId }) => {
    await requireRoom(params.projectId);
    const options = { onConflict: query.onConflict, requestId };
    if (query.partial) {
      const results = await batches.createSome(params, body.examples, options, async (tx, some) => {
        await attempt?.record(tx, answer(200, { results: some }));
      });
      return answer(200, { results });
    }
    const location = `/v1/projects/${params.projectId}/datasets/${params.datasetId}/examples`;
    const reply = (created: Example[]) => answer(201, { examples: created }, { location });
    return reply(
      await batches.createAll(params, body.examples, options, async (tx, created) => {
        await attempt?.record(tx, reply(created));
      }),
    );
  });
}

function createdReply(example: Example) {
  const { projectId, datasetId, id } = example;
  const location = `/v1/projects/${projectId}/datasets/${datasetId}/examples/${id}`;
  return answer(201, example, { location, etag: exampleEtag(example) });
}

function foundReply(example: Example) {
  return answer(200, example, { etag: exampleEtag(example) });
}

function conditionsOf({ request, requestId }: RequestContext) {
  const precondition = preconditionOf(request);
  return { requestId, check: (current: Example) => precondition.check(exampleEtag(current)) };
}
