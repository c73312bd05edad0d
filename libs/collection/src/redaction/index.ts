export { createRedactor, type Redacted, type RedactedCounts, type Redactor } from './redactor.ts';
export type { RedactedKind } from './span.ts';
