import type { IncomingMessage } from 'node:http';
import {
  addressVariable,
  getDiagnosticFigures,
  getHealthSignals,
  getTelemetryFigures,
  type CalledService,
  type HealthSignals,
} from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import { notFound } from '@clew/kernel';
import { answer, createServiceClient, route, type IdentitySigner, type Route } from '@clew/http';
import { QUEUES } from '@clew/messaging';
import type { BackgroundTask } from '@clew/runtime';
import { coversProjects } from '../api-keys/api-key.ts';
import { callerOf, mayAdminister, type GatewayCaller } from '../caller.ts';
import type { GatewayConfig } from '../config.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import { PROJECT_HEADER } from '../proxy/headers.ts';
import { figuresOf, queueProcessing, repairSignal, retentionSignal, signalOf } from './judge.ts';
import { createQueueWatch } from './queue-watch.ts';
import { statesOf, type Shares } from './states.ts';

export interface SignalsDependencies extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'broker' | 'clock' | 'logger'
> {
  sign: IdentitySigner;
  projects: Pick<ProjectStore, 'get'>;
}

/** Health signals: whether the work of the deployment gets done. They have no part in liveness or readiness. */
export interface Signals {
  routes: Route[];
  start(): BackgroundTask;
}

const ASK_TIMEOUT_MS = 3_000;
const LANES_OF_SPANS = [QUEUES.spansReceived.name, QUEUES.spansReceivedBulk.name];

export function createSignals({ config, broker, clock, logger, sign, projects }: SignalsDependencies): Signals {
  const queues = createQueueWatch({ broker, clock, logger });
  const client = (service: CalledService) =>
    createServiceClient({
      ...{ baseUrl: config[addressVariable(service)], serviceName: 'gateway', sign, timeoutMs: ASK_TIMEOUT_MS },
    });
  const [warehouse, diagnostics] = [client('telemetry-warehouse'), client('diagnostics-svc')];
  const maxAgeMs = config.SIGNAL_MAX_AGE_MS;
  const maxRetentionAgeMs = config.SIGNAL_MAX_RETENTION_AGE_MS;

  /** Resolves with undefined if a service does not answer, which leaves the other signals as they are. */
  async function known<T>(what: string, asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      logger.warn({ err: error }, `a health signal is not known: ${what}`);
      return undefined;
    }
  }

  /** Project that a caller names, else the only one that it opens; undefined if there is neither. */
  async function projectOf(
    { projectIds, workspaceId }: GatewayCaller,
    request: IncomingMessage,
  ): Promise<string | undefined> {
    const header = request.headers[PROJECT_HEADER];
    const [only, ...others] = projectIds === 'all' ? [] : projectIds;
    const projectId = typeof header === 'string' && header !== '' ? header : others.length === 0 ? only : undefined;
    if (projectId === undefined) return undefined;
    if (!coversProjects(projectIds, [projectId])) throw notFound();
    if (projectIds === 'all' && (await projects.get(workspaceId, projectId)) === undefined) throw notFound();
    return projectId;
  }

  /** Reads all figures, and with a project also its share of them. */
  async function read(projectId?: string): Promise<{ signals: HealthSignals; shares: Shares }> {
    const asked = { params: {}, query: projectId === undefined ? {} : { projectId } };
    const [looks, telemetry, analysis] = await Promise.all([
      known('queues', queues.look()),
      known('telemetry', warehouse.call(getTelemetryFigures, asked)),
      known('diagnostics', diagnostics.call(getDiagnosticFigures, asked)),
    ]);
    const received = LANES_OF_SPANS.map((name) => looks?.find(({ queue }) => queue === name));
    const retention = telemetry?.retention;
    const signals: HealthSignals = {
      evidenceVisibility: signalOf([...received.map((look) => look && figuresOf(look)), telemetry?.assembly], maxAgeMs),
      diagnosticExecution: signalOf([analysis?.analyses], maxAgeMs),
      queueProcessing: queueProcessing(looks, maxAgeMs),
      repairStatusSync: repairSignal(analysis, maxAgeMs),
      dataRetention: {
        telemetry: retentionSignal(retention?.telemetry, maxRetentionAgeMs),
        rawPayload: retentionSignal(retention?.rawPayload, maxRetentionAgeMs),
        maintenance: retentionSignal(retention?.maintenance, maxRetentionAgeMs),
      },
    };
    const { share: diagnosticShare, repairShare: repairs } = analysis ?? {};
    return { signals, shares: { evidence: telemetry?.share, diagnostics: diagnosticShare, repairs } };
  }

  return {
    routes: [
      route(getHealthSignals, async (_input, context) => {
        const caller = callerOf(context);
        if (mayAdminister(caller)) return answer(200, { signals: (await read()).signals });
        const { signals, shares } = await read(await projectOf(caller, context.request));
        return answer(200, { signals: statesOf(signals, shares) });
      }),
    ],
    start: () => queues.start(),
  };
}
