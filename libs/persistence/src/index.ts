export { createAskedWork, type AskedWork, type AskedWorkOptions } from './asked-work/asked-work.ts';
export { readProviderGates, type ProviderGates } from './asked-work/provider-gates.ts';
export {
  afterLater,
  ANSWER_WITHIN_MS,
  isAnswered,
  MAX_FAILURES,
  triedAgainAt,
  type AskedState,
  type LaterAnswer,
} from './asked-work/put-back.ts';
export { createTakeAnswers, noteAnswers, type Answer, type TakeAnswersOptions } from './asked-work/take-answers.ts';
export {
  createRunNotes,
  takeTurn,
  type NotedBatch,
  type RunNotes,
  type RunPosition,
  type RunRow,
  type TurnOptions,
} from './batched-runs.ts';
export { createAuditTrail, type AuditTrail, type Deed } from './audit-trail.ts';
export { createDailyBudget, type BudgetOwner, type DailyBudget, type DailyBudgetRow } from './daily-budget.ts';
export { connectMongo, openMongo, type MongoOptions, type OpenedDatabase } from './connect.ts';
export { isDuplicateKey, nativeDb, type Database, type Transaction } from './database.ts';
export { isOutage, reasonOfOutage } from './outage.ts';
export {
  handleDueTasks,
  startTaskLoop,
  type TaskContext,
  type TaskLoop,
  type TaskLoopOptions,
  type HandleTasksOptions,
} from './task-loop.ts';
export { ensureTurnIndex, type ClaimOptions } from './task-claims.ts';
export {
  scheduleFields,
  type Claimed,
  type ClaimedTask,
  type ScheduleFields,
  type ScheduledTask,
} from './scheduled-task.ts';
export {
  ClaimLostError,
  createScheduledTasks,
  ensureScheduleIndexes,
  settlement,
  type ScheduledTasks,
  type ScheduledTasksOptions,
  type Settlement,
} from './scheduled-tasks.ts';
export { createCircuits, type Circuits } from './circuits.ts';
export type { Passage } from './circuit.ts';
export {
  createProjectTurns,
  ensureTurnIndexes,
  MAX_POSITION,
  type Capacity,
  type HandedOutRow,
  type Place,
  type ProjectTurns,
} from './project-turns.ts';
export { createIdempotencyStore, ensureIdempotency } from './idempotency.ts';
export { eraseReplies } from './erase-replies.ts';
export {
  createEraseProject,
  type EraseProject,
  type EraseProjectOptions,
  type ErasedProjectBatch,
} from './erase-project.ts';
export { createInbox, ensureInbox, type Inbox } from './inbox.ts';
export { insertNew } from './insert-new.ts';
export {
  changedSince,
  compareBy,
  findInOrder,
  NEWEST_FIRST,
  readSlice,
  walkInOrder,
  type KeysetList,
  type KeysetRead,
} from './keyset-list.ts';
export { bytesOfProject } from './bytes-of-project.ts';
export { createCountEntries, type CountEntries } from './count-entries.ts';
export { compareKeys, keysetKey, type KeysetSort } from './keyset.ts';
export { rangesBetween, walkBetween, type OrderedRange } from './keyset-ranges.ts';
export {
  createValuedLists,
  MAX_COMPARED,
  type IndexedValue,
  type FlagFilter,
  type ValuedFilter,
  type ListPlan,
  type ValuedPlan,
} from './valued-lists.ts';
export { createLease, type Lease } from './lease.ts';
export {
  ensureIndexes,
  migrate,
  MigrationError,
  pendingMigrations,
  type MigrateOptions,
  type Migration,
  type MigrationId,
} from './migrations.ts';
export { modelOf } from './model.ts';
export { createProjectSettings, ensureSettings, type ProjectSettings } from './project-settings.ts';
export {
  createOutbox,
  ensureOutbox,
  onOutboxAppended,
  outboxCollection,
  outboxMessage,
  type AnyOutboxMessage,
  type Outbox,
  type OutboxMessage,
  type OutboxRow,
} from './outbox.ts';
export { createTombstones, ensureTombstones, type Tombstones } from './tombstones.ts';
export {
  afterWindowPage,
  backfillIdOf,
  cancelled,
  completed,
  hasEnded,
  notBegun,
  type WindowBackfill,
  type WindowPage,
} from './window-backfills/window-backfill.ts';
export {
  createWindowBackfills,
  type Permission,
  type WindowBackfillRow,
  type WindowBackfills,
  type WindowBackfillsOptions,
  type WindowQuery,
} from './window-backfills/window-backfills.ts';
