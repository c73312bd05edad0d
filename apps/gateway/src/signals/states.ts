import type { HealthSignal, HealthSignals, RepairSignal, SignalFigures } from '@clew/contracts';

const BAD = 'Some work of the deployment has waited for too long, or was given up';

/** Figures of one project. */
export interface Shares {
  evidence: SignalFigures | undefined;
  diagnostics: SignalFigures | undefined;
  repairs: SignalFigures | undefined;
}

/**
 * States of the signals, with no figures but the project's own: how much waits and for how long concerns all tenants
 * together, and would tell each about the others.
 */
export function statesOf(signals: HealthSignals, { evidence, diagnostics, repairs }: Shares): HealthSignals {
  const { evidenceVisibility, diagnosticExecution, queueProcessing, repairStatusSync, dataRetention } = signals;
  const { telemetry, rawPayload, maintenance } = dataRetention;
  return {
    evidenceVisibility: { ...stateOf(evidenceVisibility), ...shareOf(evidence) },
    diagnosticExecution: { ...stateOf(diagnosticExecution), ...shareOf(diagnostics) },
    queueProcessing: {
      ...stateOf(queueProcessing),
      queues: queueProcessing.queues.map((queue) => ({ queue: queue.queue, ...stateOf(queue) })),
    },
    repairStatusSync: { ...stateOf(repairStatusSync), ...shareOf(repairs) },
    dataRetention: {
      telemetry: stateOf(telemetry),
      rawPayload: stateOf(rawPayload),
      maintenance: stateOf(maintenance),
    },
  };
}

/** State without figures: the reason of a bad signal holds figures too. */
function stateOf<Status extends RepairSignal['status']>({ status, reason }: { status: Status; reason: string | null }) {
  return { status, reason: status === 'bad' ? BAD : reason };
}

function shareOf(share: SignalFigures | undefined): Pick<HealthSignal, 'share'> {
  return share === undefined ? {} : { share };
}
