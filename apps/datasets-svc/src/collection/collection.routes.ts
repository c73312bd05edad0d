import {
  collectConversations,
  listCollectionDecisions,
  previewCollection,
  type CollectionDecision,
} from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { notFound, page, type CursorCodec } from '@clew/kernel';
import type { DatasetLookup } from '../examples/index.ts';
import type { createCollectNow } from './collect-now.ts';
import type { DecisionDocument } from './decision.model.ts';
import { DECISIONS, type DecisionStore } from './decisions.store.ts';
import type { createPreview } from './preview.ts';

export interface CollectionRoutesDependencies {
  datasets: DatasetLookup;
  decisions: Pick<DecisionStore, 'list'>;
  cursors: CursorCodec;
  collectNow: ReturnType<typeof createCollectNow>;
  preview: ReturnType<typeof createPreview>;
}

export function collectionRoutes(dependencies: CollectionRoutesDependencies): Route[] {
  const { datasets, decisions, cursors, collectNow, preview } = dependencies;
  return [
    route(previewCollection, async ({ params, query }, { requestId }) =>
      answer(200, await preview({ ...params, ...query, requestId })),
    ),
    route(collectConversations, async ({ params, body }, { requestId }) =>
      answer(202, await collectNow(params, body.conversationIds, requestId)),
    ),
    route(listCollectionDecisions, async ({ params, query: { limit, cursor, ...filters } }) => {
      const { projectId, datasetId } = params;
      if ((await datasets.get(projectId, datasetId)) === undefined) throw notFound();
      const request = { projectId, filters: { datasetId, ...filters }, limit, cursor };
      const { items, nextCursor } = await page(cursors, DECISIONS, request, (slice) =>
        decisions.list(params, filters, slice),
      );
      return answer(200, { decisions: items.flatMap(decisionView), nextCursor });
    }),
  ];
}

function decisionView(row: DecisionDocument): CollectionDecision[] {
  const { _id: id, conversationId, itemId, objective, outcome, because, reason, examples, redacted } = row;
  const { model, snapshotId, decidedAt } = row;
  if (outcome === null || decidedAt === null) return [];
  const exampleIds = examples.map((example) => example.id);
  const subject = { conversationId, itemId, objective };
  return [{ id, ...subject, outcome, because, reason, exampleIds, redacted, model, snapshotId, decidedAt }];
}
