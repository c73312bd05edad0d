export { derivationKeyOf } from './derivation.ts';
export { preserve, type CollectOptions, type Decision } from './preserve.ts';
export { createRedactor, type Redactor } from './redaction/index.ts';
