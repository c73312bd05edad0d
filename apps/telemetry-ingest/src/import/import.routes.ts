import { importConversations, type ImportReport } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { originOf } from '../otlp/otlp.routes.ts';
import { decompressedBody, type BodyLimits } from '../receive-body.ts';
import type { SpanOrigin } from '../span-publisher.ts';

export type ImportConversations = (body: AsyncIterable<Buffer>, origin: SpanOrigin) => Promise<ImportReport>;

export function importRoutes(importLines: ImportConversations, limits: BodyLimits): Route[] {
  return [
    route(importConversations, async (_input, context) =>
      answer(200, await importLines(decompressedBody(context.request, limits), originOf(context))),
    ),
  ];
}
