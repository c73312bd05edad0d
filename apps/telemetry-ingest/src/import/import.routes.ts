import { importConversations } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { receiveBody, type BodyLimits } from '../body/receive-body.ts';
import { originOf } from '../otlp/otlp.routes.ts';
import type { ImportConversations } from './import.service.ts';

export function importRoutes(importLines: ImportConversations, limits: BodyLimits): Route[] {
  return [
    route(importConversations, async (_input, context) =>
      answer(200, await importLines(receiveBody(context.request, limits), originOf(context))),
    ),
  ];
}
