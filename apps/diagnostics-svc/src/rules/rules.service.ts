import type { Doer, Rule, RuleChange, RuleQuery } from '@clew/contracts';
import { invalid } from '@clew/http';
import { AppError, notFound, page, takeSlice, type Clock, type CursorCodec } from '@clew/kernel';
import type { AuditTrail, Database, Outbox } from '@clew/persistence';
import { createNamedModels } from './named-models.ts';
import {
  configurationOf,
  problemsOf,
  unchangedSetting,
  withConfiguration,
  withEnabled,
  type RuleDescription,
  type RuleSetting,
} from './rule-setting.ts';
import type { RuleStore } from './rules.store.ts';

export interface RulesDependencies {
  database: Database;
  rules: RuleStore;
  definitions: readonly RuleDescription[];
  cursors: CursorCodec;
  outbox: Outbox;
  audit: AuditTrail;
  clock: Clock;
}

export interface RulesService {
  list(projectId: string, query: RuleQuery): Promise<{ rules: Rule[]; nextCursor: string | null }>;
  get(projectId: string, ruleId: string): Promise<Rule>;
  /** Switches a Rule on or off, or changes its configuration. Throws DIAGNOSTIC_RULE_NOT_FOUND for an unknown Rule. */
  change(projectId: string, ruleId: string, change: RuleChange, doer: Doer): Promise<Rule>;
}

const RULES = { name: 'rules', invalidCursor: 'INVALID_FILTER' } as const;

export function createRulesService(deps: RulesDependencies): RulesService {
  const { database, rules, definitions, cursors, outbox, audit, clock } = deps;
  const namedModels = createNamedModels(outbox, clock);
  const byKey = definitions.toSorted((left, right) => (left.ruleKey < right.ruleKey ? -1 : 1));
  const requireRule = requireRuleAmong(definitions);

  return {
    async list(projectId, { limit, cursor }) {
      const { items, nextCursor } = await page(cursors, RULES, { projectId, limit, cursor }, (slice) => {
        const [after = ''] = slice.after ?? [];
        const left = byKey.filter(({ ruleKey }) => ruleKey > String(after));
        return takeSlice(left, { limit: slice.limit, keyOf: ({ ruleKey }) => [ruleKey] });
      });
      const changed = (await rules.getMany([projectId])).get(projectId);
      const views = items.map((rule) =>
        ruleView(rule, changed?.get(rule.ruleId) ?? unchangedSetting(projectId, rule.ruleId)),
      );
      return { rules: views, nextCursor };
    },

    async get(projectId, ruleId) {
      return ruleView(requireRule(ruleId), await rules.get(projectId, ruleId));
    },

    async change(projectId, ruleId, { enabled, configuration }, doer) {
      const rule = requireRule(ruleId);
      const problems = configuration === undefined ? [] : problemsOf(rule, configuration);
      if (problems.length > 0) {
        throw invalid('VALIDATION_FAILED', problems);
      }
      const changed = (setting: RuleSetting) => {
        const nowMs = clock.now();
        const switched = enabled === undefined ? setting : withEnabled(setting, enabled, nowMs);
        return configuration === undefined ? switched : withConfiguration(rule, switched, configuration, nowMs);
      };
      const setting = await database.withTransaction(async (tx) => {
        const before = await rules.get(projectId, ruleId, tx);
        const after = await rules.update(tx, projectId, ruleId, changed);
        await namedModels.tell(tx, { before, after, requestId: doer.requestId });
        const deed = { projectId, action: 'rule.changed', target: { kind: 'rule', id: ruleId } } as const;
        await audit.record(tx, doer, deed, { before: chosenOf(before), after: chosenOf(after) });
        return after;
      });
      return ruleView(rule, setting);
    },
  };
}

/** Settings that a project has chosen for a Rule. */
function chosenOf({ enabled, configuration }: RuleSetting) {
  return { enabled, ...configuration };
}

/** Finds a Rule by its id; throws DIAGNOSTIC_RULE_NOT_FOUND for an unknown id. */
export function requireRuleAmong(definitions: readonly RuleDescription[]): (ruleId: string) => RuleDescription {
  const byId = new Map(definitions.map((rule) => [rule.ruleId, rule]));
  return (ruleId) => {
    const rule = byId.get(ruleId);
    if (rule === undefined) throw notFound('DIAGNOSTIC_RULE_NOT_FOUND', 'The Rule does not exist');
    return rule;
  };
}

/** Error for a deployment in which the rule service is not mounted. */
export function rulesUnavailable(): AppError {
  return new AppError('DIAGNOSTIC_RULES_UNAVAILABLE', 'The rule service is not mounted in this deployment');
}

function ruleView(rule: RuleDescription, setting: RuleSetting): Rule {
  const { ruleId, ruleKey, name, description, categoryKey, keywordsMeaning, signals } = rule;
  const { enabled, revision, updatedAt } = setting;
  return {
    ...{ ruleId, ruleKey, name, description, categoryKey, enabled },
    configuration: configurationOf(rule, setting),
    ...{ revision, keywordsMeaning },
    signals: signals.map((signal) => ({
      name: signal.name,
      description: signal.description,
      defaultSeverity: signal.defaultSeverity,
      weight: signal.weight,
    })),
    updatedAt,
  };
}
