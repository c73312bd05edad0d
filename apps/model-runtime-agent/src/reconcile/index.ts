export { createReconciler, type Reconciler } from './reconciler.ts';
export { type Task, TaskFailure, type Worker } from './task.ts';
