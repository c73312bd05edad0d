import type { JsonShape } from '../../json/shape-walker.ts';
import { EntryCounter, MAX_RECORD_BYTES, MAX_RECORD_VALUES } from '../../records/limits.ts';
import type { Signal } from '../signals.ts';

/** Handlers for the parts of an export request as they are read. */
export interface ExportParts {
  beginResource(): void;
  resource(value: unknown): void;
  beginScopes?(): void;
  beginScope(): void;
  scope(value: unknown): void;
  beginRecords?(): void;
  record: JsonShape;
}

/** JSON values for each OTLP value: its object, its content, the pair that holds it, and so on. */
const JSON_VALUES_OF_A_VALUE = 5;
/** Limits beyond which a value stands for a refused record. */
export const RECORD_LIMITS = {
  maxCharacters: MAX_RECORD_BYTES,
  maxValues: JSON_VALUES_OF_A_VALUE * MAX_RECORD_VALUES,
} as const;

/** Shape of an export request: resources hold scopes, and scopes hold records. */
export function exportShape([resources, scopes, records]: Signal['json']['lists'], parts: ExportParts): JsonShape {
  const entries = new EntryCounter();
  const header = (take: (value: unknown) => void): JsonShape => ({
    kind: 'value',
    limits: RECORD_LIMITS,
    take(value) {
      take(value);
      return undefined;
    },
  });
  const scope: JsonShape = {
    kind: 'object',
    begin() {
      entries.add();
      parts.beginScope();
    },
    members: {
      scope: header((value) => parts.scope(value)),
      [records]: {
        kind: 'list',
        begin: () => parts.beginRecords?.(),
        beginItem: () => entries.add(),
        items: parts.record,
      },
    },
  };
  const resource: JsonShape = {
    kind: 'object',
    begin() {
      entries.add();
      parts.beginResource();
    },
    members: {
      resource: header((value) => parts.resource(value)),
      [scopes]: { kind: 'list', begin: () => parts.beginScopes?.(), items: scope },
    },
  };
  return { kind: 'object', members: { [resources]: { kind: 'list', items: resource } } };
}
