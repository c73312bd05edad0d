import type { Database, Transaction } from '@clew/persistence';
import { ruleCollection, type RuleDocument } from './rule.model.ts';
import { unchangedSetting, type RuleSetting } from './rule-setting.ts';

/** Stores the settings of projects for their Rules. */
export interface RuleStore {
  get(projectId: string, ruleId: string, tx?: Transaction): Promise<RuleSetting>;
  /** Reads the changed settings of many projects at once, by project and Rule. */
  getMany(projectIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, RuleSetting>>>;
  /** Reads, changes and writes a setting in the transaction; writes nothing if `change` returns the same object. */
  update(
    tx: Transaction,
    projectId: string,
    ruleId: string,
    change: (setting: RuleSetting) => RuleSetting,
  ): Promise<RuleSetting>;
}

export function createRuleStore({ connection }: Pick<Database, 'connection'>): RuleStore {
  const documents = ruleCollection(connection);

  async function get(projectId: string, ruleId: string, tx?: Transaction): Promise<RuleSetting> {
    const options = tx === undefined ? {} : { session: tx };
    const document = await documents.findOne({ _id: keyOf(projectId, ruleId), projectId }, options);
    return document === null ? unchangedSetting(projectId, ruleId) : settingOf(document);
  }

  return {
    get,
    async getMany(projectIds) {
      const wanted = [...new Set(projectIds)];
      const found = await documents.find({ projectId: { $in: wanted } }).toArray();
      const byProject = Map.groupBy(found.map(settingOf), ({ projectId }) => projectId);
      return new Map(
        wanted.map((projectId) => [
          projectId,
          new Map((byProject.get(projectId) ?? []).map((setting) => [setting.ruleId, setting])),
        ]),
      );
    },
    async update(tx, projectId, ruleId, change) {
      const before = await get(projectId, ruleId, tx);
      const after = change(before);
      if (after === before) return before;
      const filter = { _id: keyOf(projectId, ruleId), projectId };
      await documents.replaceOne(filter, after as RuleDocument, { upsert: true, session: tx });
      return after;
    },
  };
}

function keyOf(projectId: string, ruleId: string): string {
  return `${projectId}:${ruleId}`;
}

function settingOf({ _id, ...setting }: RuleDocument): RuleSetting {
  return setting;
}
