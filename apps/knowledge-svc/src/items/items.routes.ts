import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  countItems,
  createItem,
  exportItems,
  getItem,
  listActiveItems,
  listItemRevisions,
  listItems,
  readKnowledgeItems,
  STREAMED,
  undoItem,
  updateItem,
  updateItems,
  type KnowledgeItem,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { itemEtag } from './item.ts';
import type { ItemsService } from './items.service.ts';
import type { ReviewConditions } from './review-item.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export function itemRoutes(items: ItemsService): Route[] {
  return [
    route(listItems, async ({ params, query }) => answer(200, await items.list(params.projectId, query))),
    route(countItems, async ({ params, query }) => answer(200, await items.count(params.projectId, query))),
    route(updateItems, async ({ params: { projectId }, body }, context) => {
      const by = { requestId: context.requestId, reviewer: reviewerOf(context) };
      const results = await items.updateMany(projectId, body, by, async (tx, some) => {
        await context.attempt?.record(tx, answer(200, { results: some }));
      });
      return answer(200, { results });
    }),
    route(exportItems, async ({ params, query }, context) => {
      await send(params.projectId, items.walk(params.projectId, query), context);
      return STREAMED;
    }),
    route(createItem, async ({ params: { projectId }, body }, context) => {
      const written = await items.write({
        ...{ projectId, input: body, author: reviewerOf(context), requestId: context.requestId },
        inTransaction: async (tx, item) => await context.attempt?.record(tx, createdReply(item)),
      });
      return createdReply(written);
    }),
    route(getItem, async ({ params }) => reply(await items.get(params))),
    route(updateItem, async ({ params, body }, context) =>
      reply(await items.update(params, body, conditionsOf(context))),
    ),
    route(undoItem, async ({ params }, context) => reply(await items.undo(params, conditionsOf(context)))),
    route(listActiveItems, async ({ params, query }) => answer(200, await items.active(params.projectId, query))),
    route(readKnowledgeItems, async ({ params, body }) =>
      answer(200, { items: await items.read(params.projectId, body.itemIds) }),
    ),
    route(listItemRevisions, async ({ params, query }) => answer(200, await items.revisions(params, query))),
  ];
}

function reply(item: KnowledgeItem) {
  return answer(200, item, { etag: itemEtag(item) });
}

function createdReply(item: KnowledgeItem) {
  const location = `/v1/projects/${item.projectId}/knowledge/items/${item.id}`;
  return answer(201, item, { location, etag: itemEtag(item) });
}

function conditionsOf(context: RequestContext): ReviewConditions {
  const precondition = preconditionOf(context.request);
  return {
    requestId: context.requestId,
    reviewer: reviewerOf(context),
    check: (item) => precondition.check(itemEtag(item)),
  };
}

function reviewerOf({ caller }: RequestContext): ReviewConditions['reviewer'] {
  const principal = caller?.principal;
  if (principal === undefined || principal.kind === 'service') throw new Error('Only people and keys review items');
  return { kind: principal.kind, id: principal.id };
}

async function send(
  projectId: string,
  items: AsyncIterable<KnowledgeItem>,
  { request, response }: RequestContext,
): Promise<void> {
  response.status(200);
  response.setHeader('content-type', 'application/jsonl; charset=utf-8');
  response.setHeader('content-disposition', `attachment; filename="${projectId}-knowledge.jsonl"`);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(linesOf(items), { objectMode: false }), response);
  } catch (error) {
    // A caller that disconnects in the middle needs no answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* linesOf(items: AsyncIterable<KnowledgeItem>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const item of items) {
    text += `${JSON.stringify(item)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
