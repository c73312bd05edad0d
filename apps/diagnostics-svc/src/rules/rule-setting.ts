import { canonicalJson, type ErrorDetail } from '@clew/kernel';
import type { ConfigurationChange, RequestedRule, RuleConfiguration, RuleRevision } from '@clew/contracts';
import type { RuleDefinition } from '@clew/rules';

/** What is known of a Rule apart from how it works. */
export type RuleDescription = Omit<RuleDefinition, 'detect'>;

/** What a project has set of a Rule. */
export interface RuleSetting {
  projectId: string;
  ruleId: string;
  enabled: boolean;
  /** The fields that it has changed; the others follow the defaults of the version that runs. */
  configuration: Partial<RuleConfiguration>;
  /** Of the configuration: grows with every change of it. */
  revision: number;
  /** Null where nothing was changed. */
  updatedAt: number | null;
}

/** A Rule to be run: in one revision of its configuration, with that. */
export type RunnableRule = RequestedRule;

const FIRST_REVISION = 1;

/** Of a project that has changed nothing. */
export function unchangedSetting(projectId: string, ruleId: string): RuleSetting {
  return { projectId, ruleId, enabled: true, configuration: {}, revision: FIRST_REVISION, updatedAt: null };
}

/** The configuration that holds. */
export function configurationOf(rule: RuleDescription, { configuration }: RuleSetting): RuleConfiguration {
  return { ...rule.defaultConfiguration, ...configuration };
}

/** How runs, records and messages name the Rule: the first revision has no name. */
export function revisionOf({ ruleId, revision }: Pick<RuleSetting, 'ruleId' | 'revision'>): RuleRevision {
  return revision === FIRST_REVISION ? { ruleId } : { ruleId, revision: String(revision) };
}

/** The name of a Rule to be run, without its configuration. */
export function revisionNameOf({ ruleId, revision }: RuleRevision): RuleRevision {
  return revision === undefined ? { ruleId } : { ruleId, revision };
}

export function runnable(rule: RuleDescription, setting: RuleSetting): RunnableRule {
  return { ...revisionOf(setting), configuration: configurationOf(rule, setting) };
}

/** The setting with the Rule on or off; the same object where it was so. */
export function withEnabled(setting: RuleSetting, enabled: boolean, nowMs: number): RuleSetting {
  return setting.enabled === enabled ? setting : { ...setting, enabled, updatedAt: nowMs };
}

/**
 * The setting after a change of its configuration: what is absent stays, `signalOverrides` is merged by signal, and what
 * an override leaves open is what held before. The same object, and so no new revision, where the configuration that
 * holds stays the same.
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

/** What is wrong with a change of this Rule's configuration, beyond its form. */
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
