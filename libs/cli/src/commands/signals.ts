import type { Api } from '@clew/sdk';
import type { Verb } from '../command.ts';
import { column, type Cell, type Column } from '../output/cells.ts';

/** Signal with its name. */
interface NamedSignal {
  name: string;
  status: string;
  reason: string | null;
}

const shownStatus = (status: string): Cell => ({
  text: status,
  colour: status === 'ok' ? 'green' : status === 'bad' ? 'red' : 'yellow',
});

const COLUMNS: readonly Column<NamedSignal>[] = [
  column('SIGNAL', ({ name }) => name),
  column('STATUS', ({ status }) => shownStatus(status)),
  column('REASON', ({ reason }) => reason),
];

/** Takes the signals of a deployment out of their groups. */
export function namedSignals({ dataRetention, ...signals }: Api.HealthSignals): NamedSignal[] {
  const retention = Object.entries(dataRetention).map(([name, signal]) => [`dataRetention.${name}`, signal] as const);
  return [...Object.entries(signals), ...retention].map(([name, { status, reason = null }]) => ({
    ...{ name, status, reason },
  }));
}

/** Command that shows the signals. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'signals', summary: 'show whether the work of the deployment gets done', isProjectless: true },
    example: 'signals',
    async run(context) {
      const clew = await context.client();
      const answer = await clew.health.signals({ signal: context.signal });
      const signals = namedSignals(answer.signals);
      await context.output.rows(signals, COLUMNS, answer);
      return signals.some(({ status }) => status === 'bad') ? 1 : 0;
    },
  },
];
