import { createGoal, getGoal, listGoals, updateGoal, type LearningGoal } from '@clew/contracts';
import { answer, preconditionOf, route, type Route } from '@clew/http';
import { goalEtag, type StoredGoal } from './goal.ts';
import type { GoalsService } from './goals.service.ts';

export function goalRoutes(goals: GoalsService): Route[] {
  return [
    route(createGoal, async ({ params, body }, { attempt, requestId }) => {
      const created = await goals.create(params.projectId, body, requestId, async (tx, goal) => {
        await attempt?.record(tx, createdReply(goal));
      });
      return createdReply(created);
    }),
    route(listGoals, async ({ params, query }) => answer(200, await goals.list(params.projectId, query))),
    route(getGoal, async ({ params }) => foundReply(await goals.get(params))),
    route(updateGoal, async ({ params, body }, { request, requestId }) => {
      const precondition = preconditionOf(request);
      const check = (goal: StoredGoal) => precondition.check(goalEtag(goal));
      return foundReply(await goals.update(params, body, { requestId, check }));
    }),
  ];
}

function createdReply(goal: LearningGoal) {
  const location = `/v1/projects/${goal.projectId}/knowledge/goals/${goal.id}`;
  return answer(201, goal, { location, etag: goalEtag(goal) });
}

function foundReply(goal: LearningGoal) {
  return answer(200, goal, { etag: goalEtag(goal) });
}
