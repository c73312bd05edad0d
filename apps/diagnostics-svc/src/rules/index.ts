export { createEnabledRules, type EnabledRules } from './enabled-rules.ts';
export { ruleModel } from './rule.model.ts';
export {
  configurationOf,
  revisionNameOf,
  type RuleDescription,
  type RuleSetting,
  type RunnableRule,
} from './rule-setting.ts';
export { ruleRoutes } from './rules.routes.ts';
export { createRulesService, requireRuleAmong, rulesUnavailable, type RulesService } from './rules.service.ts';
export { createRuleStore, type RuleStore } from './rules.store.ts';
