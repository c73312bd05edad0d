import type { RuleStore } from './rules.store.ts';
import { runnable, unchangedSetting, type RuleDescription, type RunnableRule } from './rule-setting.ts';

/** Enabled Rules and their configuration. */
export interface EnabledRules {
  /** Reads those of many projects at once, by project. */
  ofProjects(projectIds: readonly string[]): Promise<ReadonlyMap<string, readonly RunnableRule[]>>;
  of(projectId: string): Promise<readonly RunnableRule[]>;
}

export function createEnabledRules(store: RuleStore, definitions: readonly RuleDescription[]): EnabledRules {
  async function ofProjects(projectIds: readonly string[]) {
    const settings = await store.getMany(projectIds);
    return new Map(
      [...settings].map(([projectId, changed]) => [
        projectId,
        definitions.flatMap((rule) => {
          const setting = changed.get(rule.ruleId) ?? unchangedSetting(projectId, rule.ruleId);
          return setting.enabled ? [runnable(rule, setting)] : [];
        }),
      ]),
    );
  }

  return {
    ofProjects,
    async of(projectId) {
      return (await ofProjects([projectId])).get(projectId) ?? [];
    },
  };
}
