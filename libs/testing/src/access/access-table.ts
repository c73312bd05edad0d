import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES, Scope, SCOPES, type Role } from '@clew/contracts';

/** Table for readers, which is written by hand. */
const DOCUMENT = join(import.meta.dirname, '../../../../docs/access.md');

/** Row of the table: who may call a route. */
export interface AccessRow {
  operationId: string;
  method: string;
  path: string;
  /** Scopes of which a key needs one; none if no key may call it. */
  scopes: readonly Scope[];
  /** Lowest role of a person, `anybody` who is signed in, or null if no session counts. */
  person: Role | 'owner' | 'anybody' | null;
  /** Whether no credential is needed. */
  isOpen: boolean;
}

const ROW =
  /^\| `(?<operationId>\w+)`\s*\| `(?<method>[A-Z]+) (?<path>[^`]+)`\s*\| (?<key>[^|]+)\| (?<person>[^|]+)\|$/;
const EVERYBODY = 'everybody';
const NOBODY = '—';

/** Reads the rows of `docs/access.md`. */
export function readAccessTable(): AccessRow[] {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  const rows = lines.map((line) => ROW.exec(line)?.groups).filter((groups) => groups !== undefined);
  return rows.map(({ operationId = '', method = '', path = '', key = '', person = '' }) => ({
    ...{ operationId, method, path },
    scopes: scopesOf(key.trim()),
    person: personOf(person.trim()),
    isOpen: key.trim() === EVERYBODY && person.trim() === EVERYBODY,
  }));
}

function scopesOf(cell: string): readonly Scope[] {
  if (cell === NOBODY || cell === EVERYBODY) return [];
  if (cell === 'any scope') return SCOPES;
  return cell.split(' or ').map((scope) => Scope.parse(scope.replaceAll('`', '')));
}

function personOf(cell: string): AccessRow['person'] {
  if (cell === NOBODY || cell === EVERYBODY) return null;
  const known = [...ROLES, 'owner', 'anybody'] as const;
  const person = known.find((each) => each === cell);
  if (person === undefined) throw new Error(`"${cell}" is nobody`);
  return person;
}
