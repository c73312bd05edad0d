import { ruleModelsNamed } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import type { RuleSetting } from './rule-setting.ts';

/** Announces which model a Rule asks for adjudication, so that its provider is not removed while the Rule needs it. */
export interface NamedModels {
  /** Call this in each transaction that changes a setting. */
  tell(tx: Transaction, change: { before: RuleSetting; after: RuleSetting; requestId: string }): Promise<void>;
}

export function createNamedModels(outbox: Outbox, clock: Clock): NamedModels {
  return {
    async tell(tx, { before, after, requestId }) {
      const model = after.configuration.adjudicationModel ?? null;
      if (model === (before.configuration.adjudicationModel ?? null)) return;
      const { projectId, ruleId, revision } = after;
      await outbox.append(tx, ruleModelsNamed, {
        key: `${projectId}:${ruleId}:${revision}`,
        ...{ projectId, requestId, occurredAt: clock.now() },
        data: { ruleId, revision, models: model === null ? [] : [model] },
      });
    },
  };
}
