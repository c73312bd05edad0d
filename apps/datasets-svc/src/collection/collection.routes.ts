import { listCollectionDecisions, type CollectionDecision } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { notFound, page, type CursorCodec } from '@clew/kernel';
import type { DatasetLookup } from '../examples/index.ts';
import type { DecisionDocument } from './decision.model.ts';
import { DECISIONS, type DecisionStore } from './decisions.store.ts';

export interface CollectionRoutesDependencies {
  datasets: DatasetLookup;
  decisions: Pick<DecisionStore, 'list'>;
  cursors: CursorCodec;
}

export function collectionRoutes({ datasets, decisions, cursors }: CollectionRoutesDependencies): Route[] {
  return [
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
  const { _id: id, conversationId, objective, outcome, because, reason, examples, redacted, snapshotId } = row;
  if (outcome === null || row.decidedAt === null) return [];
  const exampleIds = examples.map((example) => example.id);
  return [
    {
      ...{ id, conversationId, objective, outcome, because, reason, exampleIds, redacted, snapshotId },
      decidedAt: row.decidedAt,
    },
  ];
}
