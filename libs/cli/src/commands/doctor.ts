import type { Api } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { EXIT, failureOf, type ExitCode } from '../exit.ts';
import { column } from '../output/cells.ts';
import { VERSION } from '../version.ts';
import { namedSignals } from './signals.ts';

/** Outcome of one check. */
interface Check {
  check: string;
  outcome: 'ok' | 'warning' | 'wrong';
  detail: string;
}

const COLOURS = { ok: 'green', warning: 'yellow', wrong: 'red' } as const;
const MAX_CLOCK_SKEW_MS = 30_000;

/** Command that looks for what is wrong. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'doctor', summary: 'look for what is wrong with connection, key, clock and deployment' },
    ...{ example: 'doctor', isProjectless: true, run: examine },
  },
];

async function examine(context: Context): Promise<number> {
  const checks: Check[] = [];
  const note = (check: string, outcome: Check['outcome'], detail: string) =>
    void checks.push({ check, outcome, detail });
  const { url, project, source, profile } = context.settings();
  note('address', 'ok', `${url} (${profile === undefined ? source : `profile ${profile}`})`);
  const exitCode = await lookAt(context, note);
  if (project === undefined) note('project', 'warning', 'none is chosen: clew projects use <id or name>');
  await context.output.rows(
    checks,
    [
      column('CHECK', ({ check }) => check),
      column('OUTCOME', ({ outcome }) => ({ text: outcome, colour: COLOURS[outcome] })),
      column('DETAIL', ({ detail }) => detail),
    ],
    { checks },
  );
  return exitCode ?? (checks.some(({ outcome }) => outcome === 'wrong') ? EXIT.failed : EXIT.done);
}

type Note = (check: string, outcome: Check['outcome'], detail: string) => void;

/** Asks the deployment; returns the exit code if it does not answer or knows the key not. */
async function lookAt(context: Context, note: Note): Promise<ExitCode | undefined> {
  const { io, signal } = context;
  try {
    const clew = await context.client();
    const { data: me, response } = await clew.me.get({ signal }).withResponse();
    tellOfMe(me, note);
    const date = Date.parse(response.headers.get('date') ?? '');
    const skewMs = Number.isNaN(date) ? 0 : Math.abs(io.now() - date);
    note('clock', skewMs > MAX_CLOCK_SKEW_MS ? 'warning' : 'ok', `${Math.round(skewMs / 1_000)} s apart`);
    const answer = await clew.health.signals({ signal }).result();
    if (!answer.ok) {
      note('signals', 'warning', answer.error.message);
      return undefined;
    }
    for (const { name, status, reason } of namedSignals(answer.data.signals)) {
      note(
        name,
        status === 'ok' || status === 'not_mounted' ? 'ok' : status === 'bad' ? 'wrong' : 'warning',
        reason ?? status,
      );
    }
    return undefined;
  } catch (error) {
    const failure = failureOf(error, signal.aborted);
    note('connection', 'wrong', failure.message);
    return failure.exitCode;
  }
}

function tellOfMe({ id, kind, scopes = [], version }: Api.Me, note: Note): void {
  note('key', 'ok', `${kind} ${id}`);
  note('scopes', scopes.length === 0 && kind === 'key' ? 'warning' : 'ok', scopes.join(', '));
  const isSame = version.split('.').slice(0, 2).join('.') === VERSION.split('.').slice(0, 2).join('.');
  note('version', isSame ? 'ok' : 'warning', `deployment ${version}, this program ${VERSION}`);
}
