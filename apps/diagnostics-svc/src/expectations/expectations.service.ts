import type { ExpectationChange, ExpectationCheck, ExpectationQuery, NewExpectation } from '@clew/contracts';
import { AppError, newId, notFound, page, type Clock, type CursorCodec } from '@clew/kernel';
import { patternProblem } from '@clew/privacy';
import type { Database, Transaction } from '@clew/persistence';
import { changedExpectation, expectationView, newExpectation, type StoredExpectation } from './expectation.ts';
import { EXPECTATIONS, type ExpectationKey, type ExpectationStore } from './expectations.store.ts';
import type { Reviews } from './reviews.ts';
import { requireRoom } from './room.ts';

export interface ExpectationsDependencies {
  database: Database;
  expectations: ExpectationStore;
  reviews: Reviews;
  cursors: CursorCodec;
  clock: Clock;
}

/** Checks the Expectation before the change; it may throw. */
export type CheckExpectation = (current: StoredExpectation) => void;

export type ExpectationsService = ReturnType<typeof createExpectationsService>;

export function createExpectationsService(deps: ExpectationsDependencies) {
  const { database, expectations, reviews, cursors, clock } = deps;

  async function changeIn(
    tx: Transaction,
    key: ExpectationKey,
    change: ExpectationChange | { status: 'deleted' },
    check: CheckExpectation,
  ): Promise<StoredExpectation> {
    const before = await expectations.open(tx, key);
    if (before === undefined || before.status === 'deleted') throw expectationNotFound();
    check(before);
    const nowMs = clock.now();
    const { revision } = await expectations.counts(tx, key.projectId);
    const changed = changedExpectation(before, change, revision + 1, nowMs);
    if (changed.isOtherwiseChecked) {
      const added = { revision: 1, active: changed.activated };
      const { active } = await expectations.count(tx, key.projectId, added);
      requireRoom(active, changed.activated);
    }
    // A deleted Expectation is due, so that it is removed once no conversation shows it.
    const isDue = changed.isOtherwiseChecked || changed.expectation.status === 'deleted';
    if (isDue || changed.expectation.updatedAt !== before.updatedAt) {
      await expectations.save(tx, changed.expectation, isDue ? nowMs : undefined);
    }
    return changed.expectation;
  }

  return {
    async create(
      projectId: string,
      input: NewExpectation,
      inTransaction: (tx: Transaction, created: StoredExpectation) => Promise<void>,
    ): Promise<StoredExpectation> {
      requirePattern(input.check);
      const id = newId('exp');
      const active = input.status === 'active' ? 1 : 0;
      return await database.withTransaction(async (tx) => {
        const counts = await expectations.count(tx, projectId, { revision: active, active });
        requireRoom(counts.active, active);
        const fields = { id, projectId, source: 'authored' as const, ...input };
        const created = newExpectation(fields, counts.revision, clock.now());
        await expectations.insert(tx, [created]);
        await inTransaction(tx, created);
        return created;
      });
    },

    async list(projectId: string, { limit, cursor, status }: ExpectationQuery) {
      const request = { projectId, filters: { status }, limit, cursor };
      const { items, nextCursor } = await page(cursors, EXPECTATIONS, request, (slice) =>
        expectations.list(projectId, status, slice),
      );
      return { expectations: items.map(expectationView), nextCursor };
    },

    async get({ projectId, expectationId }: ExpectationKey): Promise<StoredExpectation> {
      const found = await expectations.get(projectId, expectationId);
      if (found === undefined) throw expectationNotFound();
      return found;
    },

    async update(key: ExpectationKey, change: ExpectationChange, check: CheckExpectation): Promise<StoredExpectation> {
      if (change.check !== undefined) requirePattern(change.check);
      const changed = await database.withTransaction((tx) => changeIn(tx, key, change, check));
      reviews.wake();
      return changed;
    },

    /** Hides the Expectation, and withdraws it from conversations; false while that continues in the background. */
    async remove(key: ExpectationKey, check: CheckExpectation): Promise<boolean> {
      await database.withTransaction(async (tx) => {
        const known = await expectations.open(tx, key);
        // A repeated DELETE only gets the progress of the removal.
        if (known?.status !== 'deleted') await changeIn(tx, key, { status: 'deleted' }, check);
      });
      return await reviews.finish(key);
    },
  };
}

export function expectationNotFound(): AppError {
  return notFound('EXPECTATION_NOT_FOUND', 'The Expectation does not exist');
}

function requirePattern(check: ExpectationCheck): void {
  if (!('pattern' in check) || check.pattern === undefined) return;
  const message = patternProblem(check.pattern);
  if (message === undefined) return;
  const path = 'body.check.pattern';
  throw new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}
