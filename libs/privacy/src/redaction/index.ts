export { createRedactor, type RedactedCounts, type Redactor } from './redactor.ts';
export type { RedactedKind } from './span.ts';
