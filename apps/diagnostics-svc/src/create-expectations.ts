import type { ServiceClient } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import { expectationBroken } from '@clew/rules';
import type { Logger } from '@clew/runtime';
import type { AnalysisStore, QueueRuns } from './analyses/index.ts';
import {
  createAskSnapshot,
  createCheckedSets,
  createCompilePrompts,
  createDryRun,
  createExpectationsService,
  createExpectedRules,
  createExpectationStore,
  type PromptNotices,
  createReviews,
  expectedRule,
} from './expectations/index.ts';
import type { ResultStore } from './results/results.store.ts';
import type { EnabledRules } from './rules/index.ts';
import type { SettingsStore } from './settings/settings.store.ts';

export interface ExpectationsParts {
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  warehouse: ServiceClient;
  analyses: AnalysisStore;
  outbox: Outbox;
  results: ResultStore;
  settings: SettingsStore;
  notices: PromptNotices;
  builtInRules: EnabledRules;
  queueRuns: QueueRuns;
}

/** Far above the time for the largest snapshot, because a snapshot that takes longer is given up in the end. */
const READ_DEADLINE_MS = 10_000;

/** Wires everything about Expectations: services for their routes, the Rules that check them, and background tasks. */
export function createExpectations(parts: ExpectationsParts) {
  const { database, analyses, builtInRules, queueRuns } = parts;
  const store = createExpectationStore(database);
  const ruleOf = async (projectId: string) =>
    (await builtInRules.of(projectId)).find(({ ruleId }) => ruleId === expectationBroken.ruleId);
  const askSnapshot = createAskSnapshot({ deadlineMs: READ_DEADLINE_MS });
  const reviews = createReviews({ ...parts, askSnapshot, ruleOf });
  const compilation = createCompilePrompts({
    ...parts,
    askSnapshot,
    expectations: store,
    checkAgain: async (tx, shown, set) => {
      const rule = await ruleOf(shown.projectId);
      if (rule === undefined) return;
      const wanted = [
        { ...shown, requestId: null, rules: [expectedRule(rule, set)], trigger: 'expectations' as const },
      ];
      await queueRuns(tx, await analyses.load(tx, wanted), wanted);
    },
  });
  return {
    enabledRules: createExpectedRules(builtInRules, createCheckedSets(database, store)),
    expectations: createExpectationsService({ ...parts, expectations: store, reviews }),
    dryRun: createDryRun(parts),
    start: () => [reviews.start(), compilation.start()],
  };
}

export type Expectations = ReturnType<typeof createExpectations>;
