import { findNearItems } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { NearStatements } from './near-statements.ts';

export function nearStatementRoutes(nearStatements: NearStatements): Route[] {
  return [
    route(findNearItems, async ({ params: { projectId, goalId }, body }) =>
      answer(200, { near: await nearStatements(projectId, goalId, body.statements) }),
    ),
  ];
}
