import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, AuditTarget, deedRecorded, Doer } from '@clew/contracts';
import { newId, readJson, type Clock } from '@clew/kernel';
import type { Transaction } from './database.ts';
import type { Outbox } from './outbox.ts';

/** Administrative deed in a project. */
export interface Deed {
  projectId: string;
  action: AuditAction;
  target: AuditTarget;
}

/** View of a thing as callers may read it, which holds no secret; null where there is no such thing. */
type View = object | null;

/** Record of the administrative deeds of a service, which the gateway keeps. */
export interface AuditTrail {
  /**
   * Adds a deed to its own transaction: it is recorded if, and only if, the transaction commits. Of two views, the
   * fields that differ are recorded; `also` names changes that no view shows, such as that of a secret. Nothing is
   * recorded if nothing has changed.
   */
  record(tx: Transaction, doer: Doer, deed: Deed, change: { before: View; after: View; also?: object }): Promise<void>;
}

type Fields = Record<string, unknown>;

/** Characters of JSON beyond which a change is recorded without its fields. */
const MAX_CHANGE_CHARACTERS = 16 * 1024;
/** Fields that say when a thing was changed, and not what was. */
const TIMES = new Set(['createdAt', 'updatedAt']);

/** Creates the trail of a service, which names the message that it publishes. */
export function createAuditTrail(outbox: Outbox, spec: typeof deedRecorded, clock: Clock): AuditTrail {
  return {
    async record(tx, { actor, address, requestId }, { projectId, action, target }, { before, after, also = {} }) {
      const changed = changedFields(before as Fields | null, after as Fields | null);
      const more = Object.keys(also).length > 0;
      if (changed === undefined && !more) return;
      const fields = changed ?? { before: {}, after: {} };
      await outbox.append(tx, spec, {
        key: newId('aud'),
        ...{ projectId, requestId, occurredAt: clock.now() },
        data: {
          ...{ actor, action, target, address },
          before: recorded(fields.before),
          after: recorded(more ? { ...fields.after, ...also } : fields.after),
        },
      });
    },
  };
}

function changedFields(before: Fields | null, after: Fields | null) {
  if (before === null || after === null) return { before, after };
  const differs = (name: string) => !TIMES.has(name) && !isDeepStrictEqual(before[name], after[name]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(differs);
  if (names.length === 0) return undefined;
  const among = (view: Fields) => Object.fromEntries(names.map((name) => [name, view[name] ?? null]));
  return { before: among(before), after: among(after) };
}

function recorded(fields: Fields | null): Fields | null {
  if (fields === null) return null;
  const text = JSON.stringify(fields, (_name, value: unknown) =>
    typeof value === 'string' ? withoutPath(value) : value,
  );
  return text.length > MAX_CHANGE_CHARACTERS ? { leftOut: `${text.length} characters` } : (readJson(text) as Fields);
}

/** Address without what follows the host: incoming webhooks of chat programs have their secret there. */
function withoutPath(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (url === null) return text;
  return url.href === `${url.origin}/` ? url.origin : `${url.origin}/...`;
}
