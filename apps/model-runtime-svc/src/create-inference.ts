import { deedRecorded } from '@clew/contracts';
import { watchPrivateProjects } from '@clew/host';
import type { Route, ServiceClient } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import { consume, QUEUES, type Broker, type Publisher } from '@clew/messaging';
import { createOutbound, parseCidrList } from '@clew/outbound';
import { createAuditTrail, createOutbox, type Database, type Outbox } from '@clew/persistence';
import { cacheLookups, type Logger, type MetricsRegistry, type BackgroundTask } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import {
  availabilityRoutes,
  createAskModel,
  createAvailabilityLoop,
  createAvailabilityService,
  createCallProvider,
  createCapabilityStore,
  createConversationPointsStore,
  createEndpoints,
  createEvaluateModel,
  createInferenceService,
  createModelChoice,
  createModelList,
  createModelSettingsStore,
  createProtection,
  createProviderDirectory,
  createProviderModels,
  createProvidersService,
  createProviderStore,
  createRecorder,
  createSpanPublisher,
  createQuotaCopies,
  createSystemBudget,
  createTokenQuota,
  createTranscriptions,
  createUsageStore,
  createUsageSums,
  inferenceRoutes,
  type LocalServices,
  type ModelChoice,
  type Protection,
  type UsageStore,
  providerRoutes,
  takeDatasetModels,
  takeGoalModels,
  takeRuleModels,
  usageRoutes,
} from './endpoint/index.ts';
import type { ModelRuntimeConfig } from './config.ts';
import { type BodyBudgets, createEngineDispatcher } from './shared/index.ts';

export interface CreateInferenceDependencies {
  config: ModelRuntimeConfig;
  database: Database;
  broker: Broker;
  publisher: Pick<Publisher, 'publish'>;
  /** Owner of the privacy settings of projects. */
  warehouse: Pick<ServiceClient, 'call'>;
  localServices: LocalServices;
  bodyBudgets: BodyBudgets;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** Providers and the OpenAI-compatible endpoint, which every deployment has. */
export interface Inference {
  routes: readonly Route[];
  /** Starts the background tasks. They must be stopped in this order, after the server. */
  start(): readonly BackgroundTask[];
}

export function createInference(deps: CreateInferenceDependencies): Inference {
  const { config, database, broker, localServices, bodyBudgets, cursors, clock, logger } = deps;
  const secrets = createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS });
  const { outbound, local } = createDispatchers(config);
  const providers = createProviderStore(database);
  const directory = createProviderDirectory(providers, secrets, cacheLookups(deps.metrics, 'providers'));
  const providerModels = createProviderModels(outbound, directory, cacheLookups(deps.metrics, 'provider models'));
  const settings = createModelSettingsStore(database);
  const usage = createUsageStore(database);
  const outbox = createOutbox(database);
  const audit = createAuditTrail(outbox, deedRecorded, clock);
  const privateProjects = watchPrivateProjects(deps);
  const protection = createProtection(privateProjects);
  const { recorder, record, tokenQuota, quotas } = createMeteredRecorder(deps, { usage, outbox, protection });
  const callProvider = createCallProvider({ outbound: outbound.dispatcher, local, metrics: deps.metrics });
  // Late binding: the model choice looks at models, and looking at one needs its endpoint. No choice is made before all
  // parts exist.
  const autoModel: ModelChoice['choose'] = (projectId, purpose) => choice.choose(projectId, purpose);
  const endpoints = createEndpoints({ directory, localServices, autoModel });
  const capabilities = createCapabilityStore(database, outbox);
  const ask = createAskModel({ callProvider, record, clock });
  const evaluate = createEvaluateModel({ endpoints, providerModels, capabilities, ask, clock });
  const choice = createModelChoice({ settings, capabilities, providers, providerModels, localServices, evaluate });
  const availabilityLoop = createAvailabilityLoop({ database, capabilities, evaluate, clock, logger });
  const availability = createAvailabilityService({
    ...{ database, audit, settings, capabilities, choice, evaluate, endpoints, clock, logger },
    lookSoon: availabilityLoop.lookSoon,
  });
  const inference = createInferenceService({
    ...{ endpoints, callProvider, clock, record },
    requireTokenQuota: tokenQuota.require,
    requireSystemBudget: createSystemBudget({ usage, settings, clock }),
    memory: bodyBudgets.memory,
    maxBodyBytes: config.MAX_INFERENCE_BODY_BYTES,
  });
  const transcriptions = createTranscriptions({
    inference,
    spoolDirectory: config.INFERENCE_SPOOL_DIRECTORY,
    maxFileBytes: config.MAX_AUDIO_BODY_BYTES,
    disk: bodyBudgets.disk,
  });
  const providersService = createProvidersService({
    ...{ database, providers, audit, directory, providerModels, secrets, outbound, cursors, clock },
    onChanged(projectId, provider) {
      choice.forget(projectId);
      availabilityLoop.providerChanged(projectId, provider);
    },
  });
  return {
    routes: [
      ...inferenceRoutes({
        ...{ inference, transcriptions },
        modelList: createModelList({ providers, providerModels, localServices }),
      }),
      ...providerRoutes(providersService),
      ...availabilityRoutes(availability),
      ...usageRoutes(usage, createUsageSums(database), cursors),
    ],
    start() {
      return [
        consume({ broker, queue: QUEUES.datasetModels, logger, handle: takeDatasetModels(database, providers) }),
        consume({ broker, queue: QUEUES.ruleModels, logger, handle: takeRuleModels(database, providers) }),
        consume({ broker, queue: QUEUES.tokenQuotas, logger, handle: quotas.take }),
        consume({ broker, queue: QUEUES.goalModels, logger, handle: takeGoalModels(database, providers) }),
        availabilityLoop.start(),
        { name: 'recorder', stop: () => recorder.drained() },
        privateProjects.start(),
        { name: 'protection', stop: protection.close },
        { name: 'outbound', stop: () => Promise.all([outbound.close(), local.close()]).then(() => undefined) },
      ];
    },
  };
}

/** Recorder of calls, which counts them for the quotas of tokens from their end on. */
function createMeteredRecorder(
  deps: CreateInferenceDependencies,
  { usage, outbox, protection }: { usage: UsageStore; outbox: Outbox; protection: Protection },
) {
  const quotas = createQuotaCopies(deps.database);
  const tokenQuota = createTokenQuota({ usage, quotas, clock: deps.clock });
  const recorder = createRecorder({
    ...deps,
    protect: protection.call,
    points: createConversationPointsStore(deps.database),
    publish: createSpanPublisher({ ...deps, outbox, protect: protection.message }),
    meter: usage.add,
    onMetered: (calls) => tokenQuota.settle(calls),
  });
  const record: typeof recorder.record = (call) => {
    tokenQuota.note(call);
    recorder.record(call);
  };
  return { recorder, record, tokenQuota, quotas };
}

function createDispatchers(config: ModelRuntimeConfig) {
  const silence = { headersTimeoutMs: config.PROVIDER_SILENCE_MS, bodyTimeoutMs: config.PROVIDER_SILENCE_MS };
  const connectTimeoutMs = config.PROVIDER_CONNECT_TIMEOUT_MS;
  return {
    outbound: createOutbound({ allowCidrs: parseCidrList(config.OUTBOUND_ALLOW_CIDRS), connectTimeoutMs, ...silence }),
    local: createEngineDispatcher(config.PROVIDER_SILENCE_MS),
  };
}
