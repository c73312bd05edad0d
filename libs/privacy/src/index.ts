export { createMasker, type Masker } from './masking/masker.ts';
export { masksIn, type FoundMask } from './masking/masks.ts';
export { maskingPatternProblem } from './masking/own-patterns.ts';
export { compilePattern, patternProblem, type TextPattern } from './pattern.ts';
export { createRedactor, type Redactor } from './redaction/index.ts';
export { BANK_ACCOUNT, describeSecret, maskSecrets, secretsIn, type Secret } from './secrets.ts';
export { lengthNotCaptured } from './telemetry/not-captured.ts';
export { createProtector, type Protector } from './telemetry/protector.ts';
export { createProtectMessage, type ProtectionQuestion } from './telemetry/protect-messages.ts';
