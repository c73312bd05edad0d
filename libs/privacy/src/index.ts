export { compilePattern, patternProblem, type TextPattern } from './pattern.ts';
export { createRedactor, type Redactor } from './redaction/index.ts';
export { BANK_ACCOUNT, describeSecret, maskSecrets, secretsIn, type Secret } from './secrets.ts';
