import type { HealthSignal, HealthSignals } from '@clew/contracts';

const BAD = 'Some work of the deployment has waited for too long, or was given up';

/**
 * The states of signals without any figure: how much waits, and for how long, is of all tenants together, and tells each
 * what the others do.
 */
export function statesOf(signals: HealthSignals): HealthSignals {
  const { evidenceVisibility, diagnosticExecution, queueProcessing, repairStatusSync, dataRetention } = signals;
  const { telemetry, rawPayload, maintenance } = dataRetention;
  return {
    evidenceVisibility: stateOf(evidenceVisibility),
    diagnosticExecution: stateOf(diagnosticExecution),
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

/** The reason of what is bad holds figures as well. */
function stateOf({ status, reason }: Pick<HealthSignal, 'status' | 'reason'>): Pick<HealthSignal, 'status' | 'reason'> {
  return { status, reason: status === 'bad' ? BAD : reason };
}
