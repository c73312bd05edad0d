import { promptInjection } from './rules/prompt-injection/prompt-injection.ts';
import { sensitiveData } from './rules/sensitive-data/sensitive-data.ts';

/**
 * The keys of Rules about safety, which no model takes back: who attacks an assistant writes what a judge reads, too. A
 * model may still confirm them.
 */
export const NEVER_WITHDRAWN: ReadonlySet<string> = new Set([promptInjection.ruleKey, sensitiveData.ruleKey]);
