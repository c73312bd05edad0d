import {
  addressVariable,
  getDiagnosticFigures,
  getHealthSignals,
  getTelemetryFigures,
  type CalledService,
  type HealthSignals,
} from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import { answer, createServiceClient, route, type IdentitySigner, type Route } from '@clew/http';
import { QUEUES } from '@clew/messaging';
import type { Part } from '@clew/runtime';
import { callerOf, mayAdminister } from '../caller.ts';
import type { GatewayConfig } from '../config.ts';
import { figuresOf, queueProcessing, retentionSignal, signalOf } from './judge.ts';
import { createQueueWatch } from './queue-watch.ts';
import { statesOf } from './states.ts';

export interface SignalsDependencies extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'broker' | 'clock' | 'logger'
> {
  sign: IdentitySigner;
}

/** Whether the work of the deployment gets done; it has no part in liveness or readiness. */
export interface Signals {
  routes: Route[];
  start(): Part;
}

const ASK_TIMEOUT_MS = 3_000;

export function createSignals({ config, broker, clock, logger, sign }: SignalsDependencies): Signals {
  const queues = createQueueWatch({ broker, clock, logger });
  const client = (service: CalledService) =>
    createServiceClient({
      ...{ baseUrl: config[addressVariable(service)], serviceName: 'gateway', sign, timeoutMs: ASK_TIMEOUT_MS },
    });
  const [warehouse, diagnostics] = [client('telemetry-warehouse'), client('diagnostics-svc')];
  const maxAgeMs = config.SIGNAL_MAX_AGE_MS;
  const maxRetentionAgeMs = config.SIGNAL_MAX_RETENTION_AGE_MS;

  /** Whoever does not answer leaves the others as they are. */
  async function known<T>(what: string, asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      logger.warn({ err: error }, `a health signal is not known: ${what}`);
      return undefined;
    }
  }

  async function read(): Promise<HealthSignals> {
    const [looks, telemetry, analysis] = await Promise.all([
      known('queues', queues.look()),
      known('telemetry', warehouse.call(getTelemetryFigures, { params: {} })),
      known('diagnostics', diagnostics.call(getDiagnosticFigures, { params: {} })),
    ]);
    const received = looks?.find(({ queue }) => queue === QUEUES.spansReceived.name);
    const retention = telemetry?.retention;
    return {
      evidenceVisibility: signalOf([received && figuresOf(received), telemetry?.assembly], maxAgeMs),
      diagnosticExecution: signalOf([analysis?.analyses], maxAgeMs),
      queueProcessing: queueProcessing(looks, maxAgeMs),
      repairStatusSync: { status: 'not_mounted' },
      dataRetention: {
        telemetry: retentionSignal(retention?.telemetry, maxRetentionAgeMs),
        rawPayload: retentionSignal(retention?.rawPayload, maxRetentionAgeMs),
        maintenance: retentionSignal(retention?.maintenance, maxRetentionAgeMs),
      },
    };
  }

  return {
    routes: [
      route(getHealthSignals, async (_input, context) => {
        const signals = await read();
        return answer(200, { signals: mayAdminister(callerOf(context)) ? signals : statesOf(signals) });
      }),
    ],
    start: () => queues.start(),
  };
}
