export { type GoalKey, type StoredGoal } from './goal.ts';
export { goalCollection, goalModel } from './goal.model.ts';
export { goalRoutes } from './goals.routes.ts';
export { createGoalsService } from './goals.service.ts';
export { createGoalStore, type GoalStore, type ItemCounts } from './goals.store.ts';
