import type { Api } from '@clew/sdk';

export interface SignalLine {
  readonly name: string;
  readonly status: 'ok' | 'bad' | 'unknown';
  /** One sentence. */
  readonly text: string;
}

/** Signals of the deployment as one sentence each; a part that is not there has none. */
export function signalLines(signals: Api.HealthSignals): SignalLine[] {
  const { evidenceVisibility, diagnosticExecution, queueProcessing, repairStatusSync, dataRetention } = signals;
  return [
    line('Evidence', evidenceVisibility, 'Telemetry can be read soon after it arrives.'),
    line('Diagnosis', diagnosticExecution, 'Conversations are diagnosed soon after they end.'),
    line('Queues', queueProcessing, 'No queue is behind.'),
    line('Work items', repairStatusSync, 'Work items are in step with their issues.'),
    line('Retention', dataRetention.telemetry, 'Old telemetry is removed in time.'),
    line('Raw payloads', dataRetention.rawPayload, 'Raw payloads are removed in time.'),
    line('Maintenance', dataRetention.maintenance, 'Stored data is kept in order.'),
  ].filter((each) => each !== undefined);
}

interface Signal {
  readonly status: 'ok' | 'bad' | 'unknown' | 'not_mounted';
  readonly reason: string | null;
}

function line(name: string, { status, reason }: Signal, good: string): SignalLine | undefined {
  if (status === 'not_mounted') return undefined;
  const text = status === 'ok' ? good : (reason ?? 'Nobody can tell at the moment.');
  return { name, status, text };
}

/** Gravest status of all. */
export function overallStatus(lines: readonly SignalLine[]): SignalLine['status'] {
  const has = (status: SignalLine['status']) => lines.some((each) => each.status === status);
  return has('bad') ? 'bad' : has('unknown') ? 'unknown' : 'ok';
}
