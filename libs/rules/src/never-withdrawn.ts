import { promptInjection } from './rules/prompt-injection/prompt-injection.ts';
import { sensitiveData } from './rules/sensitive-data/sensitive-data.ts';

/**
 * Keys of safety Rules, whose Detections no model may withdraw: the judge also reads the attacker's text. A model may
 * still confirm them.
 */
export const NEVER_WITHDRAWN: ReadonlySet<string> = new Set([promptInjection.ruleKey, sensitiveData.ruleKey]);
