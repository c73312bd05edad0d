import { canonicalJson, type ErrorDetail } from '@clew/kernel';
import type { ConfigurationChange, RequestedRule, RuleConfiguration, RuleRevision } from '@clew/contracts';
import type { RuleDefinition } from '@clew/rules';

/** Description of a Rule, without its detect function. */
export type RuleDescription = Omit<RuleDefinition, 'detect'>;

/** Settings of a project for one Rule. */
export interface RuleSetting {
  projectId: string;
  ruleId: string;
  enabled: boolean;
  /** Changed fields; the others follow the defaults of the running version. */
  configuration: Partial<RuleConfiguration>;
  /** Revision of the configuration, which grows with every change of it. */
  revision: number;
  /** Null if nothing was changed. */
  updatedAt: number | null;
}

/** Rule to run, in one revision of its configuration and with that configuration. */
export type RunnableRule = RequestedRule;

const FIRST_REVISION = 1;

/** Settings of a project that has changed nothing. */
export function unchangedSetting(projectId: string, ruleId: string): RuleSetting {
  return { projectId, ruleId, enabled: true, configuration: {}, revision: FIRST_REVISION, updatedAt: null };
}

/** Effective configuration. */
export function configurationOf(rule: RuleDescription, { configuration }: RuleSetting): RuleConfiguration {
  return { ...rule.defaultConfiguration, ...configuration };
}

/** Name of the Rule in runs, records and messages; the first revision adds nothing to the id. */
export function revisionOf({ ruleId, revision }: Pick<RuleSetting, 'ruleId' | 'revision'>): RuleRevision {
  return revision === FIRST_REVISION ? { ruleId } : { ruleId, revision: String(revision) };
}

/** Name of a Rule to run, without its configuration. */
export function revisionNameOf({ ruleId, revision }: RuleRevision): RuleRevision {
  return revision === undefined ? { ruleId } : { ruleId, revision };
}

export function runnable(rule: RuleDescription, setting: RuleSetting): RunnableRule {
  return { ...revisionOf(setting), configuration: configurationOf(rule, setting) };
}

/** Setting with the Rule on or off; the same object if it was so already. */
export function withEnabled(setting: RuleSetting, enabled: boolean, nowMs: number): RuleSetting {
  return setting.enabled === enabled ? setting : { ...setting, enabled, updatedAt: nowMs };
}

/**
 * Setting after a change of its configuration. An absent field stays, `signalOverrides` is merged by signal, and an
 * override keeps the values that it does not name. Returns the same object, and so no new revision, if the effective
 * configuration stays the same.
 */
export function withConfiguration(
  rule: RuleDescription,
  setting: RuleSetting,
  { signalOverrides, ...fields }: ConfigurationChange,
  nowMs: number,
): RuleSetting {
  const before = configurationOf(rule, setting);
  const configuration = {
    ...setting.configuration,
    ...definedOf(fields),
    ...(signalOverrides === undefined ? {} : { signalOverrides: mergedOverrides(rule, before, signalOverrides) }),
  };
  const after = configurationOf(rule, { ...setting, configuration });
  if (canonicalJson(after) === canonicalJson(before)) return setting;
  return { ...setting, configuration, revision: setting.revision + 1, updatedAt: nowMs };
}

/** Problems of a change that fit its form but not this Rule. */
export function problemsOf(rule: RuleDescription, { signalOverrides = {} }: ConfigurationChange): ErrorDetail[] {
  const known = new Set(rule.signals.map(({ name }) => name));
  return Object.keys(signalOverrides)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `body.configuration.signalOverrides.${name}`, message: 'is no signal of this Rule' }));
}

function mergedOverrides(
  rule: RuleDescription,
  { signalOverrides: before }: RuleConfiguration,
  changes: NonNullable<ConfigurationChange['signalOverrides']>,
): RuleConfiguration['signalOverrides'] {
  const merged = new Map(Object.entries(before));
  for (const [name, change] of Object.entries(changes)) {
    const signal = rule.signals.find((each) => each.name === name);
    if (change === null || signal === undefined) merged.delete(name);
    else
      merged.set(name, {
        enabled: change.enabled ?? merged.get(name)?.enabled ?? true,
        severity: change.severity ?? merged.get(name)?.severity ?? signal.defaultSeverity,
      });
  }
  return Object.fromEntries(merged);
}

function definedOf(fields: Omit<ConfigurationChange, 'signalOverrides'>): Partial<RuleConfiguration> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
