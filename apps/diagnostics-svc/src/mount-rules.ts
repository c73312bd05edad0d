import type { Route, ServiceClient } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { QueueRoom } from '@clew/messaging';
import type { AuditTrail, Database, Outbox } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import type { Logger, BackgroundTask } from '@clew/runtime';
import {
  analysisRunRoutes,
  createAnalysesService,
  createHeldCommands,
  createQueueRuns,
  type AnalysisStore,
  type QueueRuns,
} from './analyses/index.ts';
import { backfillRoutes, createBackfillRunner, createBackfillsService, type BackfillPace } from './backfills/index.ts';
import { createExpectations } from './create-expectations.ts';
import { expectationRoutes, type PromptNotices } from './expectations/index.ts';
import type { ResultStore } from './results/results.store.ts';
import { createDiscoverService, createEvaluateInThread, discoverRoutes } from './discover/index.ts';
import type { FindingsService } from './findings/findings.service.ts';
import type { ResultMessage } from './results/analysis-result.ts';
import {
  createEnabledRules,
  createRulesService,
  createRuleStore,
  ruleRoutes,
  type EnabledRules,
} from './rules/index.ts';
import { CONVERSATION_REVIEW, type ReviewBackfills } from './reviewer/index.ts';
import type { SettingsStore } from './settings/settings.store.ts';

export interface RulesMountDependencies {
  database: Database;
  outbox: Outbox;
  audit: AuditTrail;
  analyses: AnalysisStore;
  results: ResultStore;
  settings: SettingsStore;
  notices: PromptNotices;
  /** Room in the queue of the workers that run the Rules. */
  room: QueueRoom;
  warehouse: ServiceClient;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  findings: Pick<FindingsService, 'shownBy'>;
  /** Reviews of earlier conversations. */
  reviews: ReviewBackfills;
  /** Applies the results of Rules. */
  takeResults: (messages: readonly ResultMessage[]) => Promise<void>;
  /** Pace of backfills, which tests change. */
  backfills?: BackfillPace | undefined;
  /** Longest wait in milliseconds of a discover call for the Rules; 20,000 by default. */
  discoverDeadlineMs?: number | undefined;
}

/** Everything that needs the Rules: routes, and the background tasks that run Rules. */
export interface MountedRules {
  queueRuns: QueueRuns;
  enabledRules: EnabledRules;
  routes: Route[];
  start(): BackgroundTask[];
}

/** Well below the time-out of the gateway. */
const DISCOVER_DEADLINE_MS = 20_000;

export function mountRules(deps: RulesMountDependencies): MountedRules {
  const { database, analyses, clock, discoverDeadlineMs = DISCOVER_DEADLINE_MS } = deps;
  const definitions = BUILT_IN_RULES;
  const listed = [...definitions, CONVERSATION_REVIEW];
  const rules = createRuleStore(database);
  const commands = createHeldCommands(deps);
  const queueRuns = createQueueRuns({ analyses, outbox: commands, clock });
  const expectations = createExpectations({ ...deps, queueRuns, builtInRules: createEnabledRules(rules, definitions) });
  const { enabledRules } = expectations;
  const backfills = createBackfillRunner({ ...deps, ...deps.backfills, queueRuns, enabledRules });
  const evaluate = createEvaluateInThread({ logger: deps.logger, deadlineMs: discoverDeadlineMs });
  return {
    ...{ queueRuns, enabledRules },
    routes: [
      ...discoverRoutes(createDiscoverService({ ...deps, enabledRules, queueRuns, evaluate })),
      ...ruleRoutes(createRulesService({ ...deps, rules, definitions: listed })),
      ...analysisRunRoutes(createAnalysesService({ ...deps, queueRuns, enabledRules, isReviewed: deps.reviews.isOn })),
      ...expectationRoutes(expectations),
      ...backfillRoutes(createBackfillsService({ ...deps, rules, definitions: listed, backfills })),
    ],
    start: () => [commands.start(), backfills.start(), ...expectations.start()],
  };
}

/** Routes of an unmounted rule service, which answer that it is not there. */
export function unmountedRoutes(): Route[] {
  return [
    ...discoverRoutes(undefined),
    ...ruleRoutes(undefined),
    ...analysisRunRoutes(undefined),
    ...expectationRoutes(undefined),
    ...backfillRoutes(undefined),
  ];
}
