import { createGoal, getGoal, listGoals, updateGoal, type LearningGoal } from '@clew/contracts';
import { answer, doerOf, preconditionOf, route, type Route } from '@clew/http';
import { goalEtag, type StoredGoal } from './goal.ts';
import type { GoalsService } from './goals.service.ts';

export function goalRoutes(goals: GoalsService): Route[] {
  return [
    route(createGoal, async ({ params, body }, context) => {
      const created = await goals.create(params.projectId, body, doerOf(context), async (tx, goal) => {
        await context.attempt?.record(tx, createdReply(goal));
      });
      return createdReply(created);
    }),
    route(listGoals, async ({ params, query }) => answer(200, await goals.list(params.projectId, query))),
    route(getGoal, async ({ params }) => foundReply(await goals.get(params))),
    route(updateGoal, async ({ params, body }, context) => {
      const precondition = preconditionOf(context.request);
      const check = (goal: StoredGoal) => precondition.check(goalEtag(goal));
      return foundReply(await goals.update(params, body, { doer: doerOf(context), check }));
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
