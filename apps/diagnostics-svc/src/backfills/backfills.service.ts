import type { RequestedRuleBackfill, RuleBackfill as BackfillView } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, WindowBackfills } from '@clew/persistence';
import type { RuleDescription, RuleStore } from '../rules/index.ts';
import { requireRuleAmong } from '../rules/index.ts';
import {
  backfillView,
  newBackfill,
  requestedView,
  type BackfillRequest,
  type RuleBackfill,
  type StoredBackfill,
} from './backfill.ts';
import { backfillCollection, backfillOf } from './backfill.model.ts';

export interface BackfillsDependencies {
  database: Database;
  rules: RuleStore;
  definitions: readonly RuleDescription[];
  clock: Clock;
  backfills: Pick<WindowBackfills<StoredBackfill>, 'schedule'>;
}

export interface BackfillsService {
  /**
   * Schedules a backfill, or returns the one that an earlier request with the same key made. Throws CONFLICT for a Rule
   * that is off.
   */
  request(request: BackfillRequest): Promise<RequestedRuleBackfill>;
  get(projectId: string, ruleId: string, backfillId: string): Promise<BackfillView>;
}

export function createBackfillsService(dependencies: BackfillsDependencies): BackfillsService {
  const { database, rules, definitions, clock, backfills } = dependencies;
  const documents = backfillCollection(database.connection);
  const requireRule = requireRuleAmong(definitions);

  async function find(projectId: string, id: string): Promise<RuleBackfill | undefined> {
    const found = await documents.findOne({ _id: id, projectId });
    return found === null ? undefined : backfillOf(found);
  }

  return {
    async request(request) {
      const { projectId, ruleId } = request;
      requireRule(ruleId);
      const backfill = newBackfill(request, clock.now());
      const known = request.key === undefined ? undefined : await find(projectId, backfill.id);
      if (known !== undefined) return requestedView(known);
      if (!(await rules.get(projectId, ruleId)).enabled) {
        throw new AppError('CONFLICT', 'The Rule is off: switch it on to run it on earlier conversations');
      }
      return requestedView(backfillOf(await backfills.schedule(backfill)));
    },

    async get(projectId, ruleId, backfillId) {
      requireRule(ruleId);
      const backfill = await find(projectId, backfillId);
      if (backfill?.ruleId !== ruleId) throw notFound();
      return backfillView(backfill);
    },
  };
}
