import { isDeepStrictEqual } from 'node:util';
import { deedRecorded, type AuditAction, type AuditTarget, type Doer } from '@clew/contracts';
import { newId, type Clock } from '@clew/kernel';
import type { Transaction } from './database.ts';
import type { Outbox } from './outbox.ts';

/** Fields that a deed changed, as they were and as they are; null for a thing that did not exist. Never secrets. */
export interface AuditedChange {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Administrative deed in a project. */
export interface Deed extends AuditedChange {
  projectId: string;
  action: AuditAction;
  target: AuditTarget;
}

/** Record of the administrative deeds of a service, which the gateway keeps. */
export interface AuditTrail {
  /** Adds a deed to its own transaction: it is recorded if, and only if, the transaction commits. */
  record(tx: Transaction, doer: Doer, deed: Deed): Promise<void>;
}

/** Characters of JSON beyond which a change is recorded without its fields. */
const MAX_CHANGE_CHARACTERS = 16 * 1024;

export function createAuditTrail(outbox: Outbox, clock: Clock): AuditTrail {
  return {
    async record(tx, { actor, address, requestId }, { projectId, action, target, before, after }) {
      await outbox.append(tx, deedRecorded, {
        key: newId('aud'),
        ...{ projectId, requestId, occurredAt: clock.now() },
        data: { actor, action, target, address, before: bounded(before), after: bounded(after) },
      });
    },
  };
}

function bounded(fields: AuditedChange['before']): AuditedChange['before'] {
  const characters = fields === null ? 0 : JSON.stringify(fields).length;
  return characters > MAX_CHANGE_CHARACTERS ? { leftOut: `${characters} characters` } : fields;
}

/** Fields that say when a thing was changed, and not what was. */
const TIMES = new Set(['createdAt', 'updatedAt']);

/**
 * Returns the fields in which two views of a thing differ, from each view; undefined if there are none. Only views that
 * callers may see are compared, so that no secret gets into the audit.
 */
export function changeBetween(before: object, after: object): AuditedChange | undefined {
  const [old, current] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const differs = (name: string) => !TIMES.has(name) && !isDeepStrictEqual(old[name], current[name]);
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].filter(differs);
  if (names.length === 0) return undefined;
  const among = (view: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, view[name] ?? null]));
  return { before: among(old), after: among(current) };
}
