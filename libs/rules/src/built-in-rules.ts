import type { RuleDefinition } from './rule.ts';
import { toolErrorUnhandled } from './rules/tool-error-unhandled/tool-error-unhandled.ts';

/** Every built-in Rule; a new one is a folder under `rules/` and a line here. */
export const BUILT_IN_RULES: readonly RuleDefinition[] = [toolErrorUnhandled];
