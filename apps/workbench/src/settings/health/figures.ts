import type { Api } from '@clew/sdk';
import { count, duration } from '../../text/format.ts';

type Figures = Pick<Api.HealthSignal, 'backlog' | 'oldestAgeMs' | 'givenUp'>;

export interface HealthLine {
  readonly name: string;
  readonly meaning: string;
  readonly status: Api.RepairSignal['status'];
  readonly reason: string | null;
  readonly figures: Figures;
  readonly lastRunAt?: number | null;
}

/** Signals of the deployment with their figures, in the order in which work passes through. */
export function healthLines(signals: Api.HealthSignals): HealthLine[] {
  const { evidenceVisibility, diagnosticExecution, queueProcessing, repairStatusSync, dataRetention } = signals;
  return [
    lineOf('Evidence', 'From the receipt of telemetry until it can be read.', evidenceVisibility),
    lineOf('Diagnosis', 'From a conversation that has ended until its Rules have.', diagnosticExecution),
    lineOf('Queues', 'All queues together.', queueProcessing),
    lineOf('Work items', 'Issues that are made and kept in step.', repairStatusSync),
    lineOf('Retention of telemetry', 'Removal of what is too old.', dataRetention.telemetry),
    lineOf('Retention of words', 'Removal of what was said.', dataRetention.rawPayload),
    lineOf('Maintenance', 'Removal of former snapshots, and traces put together.', dataRetention.maintenance),
  ];
}

interface Signal extends Figures {
  readonly status: HealthLine['status'];
  readonly reason: string | null;
  readonly share?: Api.HealthSignal['share'];
  readonly lastRunAt?: number | null;
}

function lineOf(name: string, meaning: string, signal: Signal): HealthLine {
  const { status, reason, share, lastRunAt } = signal;
  // Those who are not told the figures of all see those of their project.
  const { backlog, oldestAgeMs, givenUp } = { ...signal, ...share };
  return { name, meaning, status, reason, figures: { backlog, oldestAgeMs, givenUp }, lastRunAt };
}

/** Figures of a signal in words. */
export function figuresText({ backlog, oldestAgeMs, givenUp }: Figures): string {
  const parts = [
    backlog === undefined ? '' : backlog === 0 ? 'Nothing waits' : `${count(backlog)} wait`,
    backlog === undefined || backlog === 0 || oldestAgeMs === undefined ? '' : `the first for ${duration(oldestAgeMs)}`,
    givenUp === undefined || givenUp === 0 ? '' : `${count(givenUp)} given up`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
