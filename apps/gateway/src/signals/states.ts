import type { HealthSignal, HealthSignals, SignalFigures } from '@clew/contracts';

const BAD = 'Some work of the deployment has waited for too long, or was given up';

/** Figures of one project. */
export interface Shares {
  evidence: SignalFigures | undefined;
  diagnostics: SignalFigures | undefined;
}

/**
 * States of the signals, with no figures but the project's own: how much waits and for how long concerns all tenants
 * together, and would tell each about the others.
 */
export function statesOf(signals: HealthSignals, { evidence, diagnostics }: Shares): HealthSignals {
  const { evidenceVisibility, diagnosticExecution, queueProcessing, repairStatusSync, dataRetention } = signals;
  const { telemetry, rawPayload, maintenance } = dataRetention;
  return {
    evidenceVisibility: { ...stateOf(evidenceVisibility), ...shareOf(evidence) },
    diagnosticExecution: { ...stateOf(diagnosticExecution), ...shareOf(diagnostics) },
    queueProcessing: {
      ...stateOf(queueProcessing),
      queues: queueProcessing.queues.map((queue) => ({ queue: queue.queue, ...stateOf(queue) })),
    },
    repairStatusSync,
    dataRetention: {
      telemetry: stateOf(telemetry),
      rawPayload: stateOf(rawPayload),
      maintenance: stateOf(maintenance),
    },
  };
}

/** State without figures: the reason of a bad signal holds figures too. */
function stateOf({ status, reason }: Pick<HealthSignal, 'status' | 'reason'>): Pick<HealthSignal, 'status' | 'reason'> {
  return { status, reason: status === 'bad' ? BAD : reason };
}

function shareOf(share: SignalFigures | undefined): Pick<HealthSignal, 'share'> {
  return share === undefined ? {} : { share };
}
