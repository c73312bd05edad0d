import { importConversations } from '@clew/contracts';
import { answer, receiveBody, route, type BodyLimits, type Route } from '@clew/http';
import { originOf } from '../otlp/otlp.routes.ts';
import type { ImportConversations } from './import.service.ts';

export function importRoutes(importLines: ImportConversations, limits: BodyLimits): Route[] {
  return [
    route(importConversations, async (_input, context) =>
      answer(200, await importLines(receiveBody(context.request, limits), originOf(context))),
    ),
  ];
}
