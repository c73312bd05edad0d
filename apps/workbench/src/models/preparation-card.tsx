import { Link } from '@tanstack/react-router';
import { Check, Circle, CircleX, LoaderCircle } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { ApiError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { words } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { cx } from '../ui/cx.ts';
import { messageOf } from '../ui/problem.ts';
import { Progress } from '../ui/progress.tsx';
import { ProblemActs } from './problem-acts.tsx';
import type { Preparation, Step, StepId } from '../runtime/preparation.ts';
import { modelsKey } from '../runtime/queries.ts';
import { usePreparation, type PreparationActs } from './use-preparation.ts';

interface CardProps {
  readonly projectId: string;
  readonly model: Api.ModelDetail;
  readonly profile: Api.ModelProfile;
  readonly mayManage: boolean;
}

/** One button that does what is missing, with one progress for all of it. */
export function PreparationCard({ projectId, model, profile, mayManage }: CardProps): ReactNode {
  const acts = usePreparation(projectId, profile);
  const { preparation } = acts;
  useTabTitle(preparation, model.name);
  if (preparation === undefined) return null;
  const { share, isReady, failed, steps } = preparation;
  const percentDone = Math.floor(share * 100);
  return (
    <section aria-label="Make it ready" className="max-w-3xl rounded-lg border border-line-strong bg-surface p-4">
      <div className="flex min-h-7 flex-wrap items-center gap-3">
        <p aria-live="polite" className="text-base font-semibold">
          {headline(preparation)}
        </p>
        <div className="ml-auto flex items-center gap-1.5">
          {mayManage ? <Buttons {...{ projectId, profile, acts, preparation }} /> : null}
        </div>
      </div>
      {isReady ? null : (
        <div className="mt-3 flex items-center gap-3">
          <Progress label="Made ready" share={share} />
          <span className="w-12 shrink-0 text-right tabular-nums">{percentDone} %</span>
        </div>
      )}
      <ol className="mt-3 flex flex-wrap gap-x-6 gap-y-1.5">
        {steps.map((step) => (
          <StepLine key={step.id} step={step} engine={profile.engine} />
        ))}
      </ol>
      {acts.isWanted && steps.some(({ id, state }) => id !== 'service' && state === 'working') ? (
        <p className="mt-2 text-xs text-muted">
          The node goes on with it if you leave. Its service is started as soon as this page is open again.
        </p>
      ) : null}
      {failed?.problem == null ? null : (
        <ProblemActs {...{ projectId, mayManage }} code={failed.problem.code} message={failed.problem.message} />
      )}
      {acts.error === null ? null : (
        <ProblemActs
          {...{ projectId, mayManage }}
          code={acts.error instanceof ApiError ? acts.error.code : 'UNKNOWN'}
          message={messageOf(acts.error)}
        />
      )}
      {isReady ? <Ready projectId={projectId} modelId={model.id} /> : null}
    </section>
  );
}

function headline({ isReady, isWorking, failed, next }: Preparation): string {
  if (isReady) return 'It runs, and answers';
  if (failed !== undefined && !isWorking) return 'It could not be made ready';
  if (isWorking) return 'It is being made ready';
  return next.includes('download') ? 'It is not here yet' : 'It is here, and does not run';
}

const LABELS: Readonly<Record<StepId, string>> = { engine: 'Engine', download: 'Download', service: 'Service' };
const ICONS = { done: Check, working: LoaderCircle, failed: CircleX, missing: Circle };
const INKS = {
  done: 'text-ok',
  working: 'text-accent motion-safe:animate-spin',
  failed: 'text-critical',
  missing: 'text-muted',
};

function StepLine({ step, engine }: { readonly step: Step; readonly engine: string }): ReactNode {
  const Icon = ICONS[step.state];
  return (
    <li className="flex items-center gap-1.5">
      <Icon role="img" aria-label={step.state} className={cx('size-4 shrink-0', INKS[step.state])} />
      <span className="font-medium">{LABELS[step.id]}</span>
      <span className="text-xs text-muted">
        {step.id === 'engine' && step.state === 'missing' ? `${engine}, ` : ''}
        <HostileText text={words(step.text)} />
      </span>
    </li>
  );
}

const BEGIN: Readonly<Record<StepId, string>> = {
  engine: 'Install, download and start',
  download: 'Download and start',
  service: 'Start',
};

interface ButtonsProps {
  readonly projectId: string;
  readonly profile: Api.ModelProfile;
  readonly acts: PreparationActs;
  readonly preparation: Preparation;
}

function Buttons({ projectId, profile, acts, preparation }: ButtonsProps): ReactNode {
  const { isReady, isWorking, next, failed, steps } = preparation;
  const [first] = next;
  const invalidates = [[...modelsKey(projectId)]];
  const call = { project: projectId };
  const stop = useChange(() => clew.models.services.stop(profile.modelId, profile.id, call), { invalidates });
  const remove = useChange(() => clew.models.profiles.remove(profile.modelId, profile.id, call), { invalidates });
  const isThere = steps.some(({ id, state }) => id !== 'engine' && state !== 'missing');
  return (
    <>
      {first === undefined || isReady ? null : (
        <Button look="main" isDisabled={acts.isPending || (isWorking && acts.isWanted)} onPress={acts.begin}>
          {failed === undefined ? BEGIN[first] : 'Try again'}
        </Button>
      )}
      {isReady || steps.some(({ id, state }) => id === 'service' && state === 'working') ? (
        <Button
          isDisabled={stop.isPending}
          onPress={() => {
            acts.giveUp();
            stop.mutate(undefined);
          }}
        >
          Stop
        </Button>
      ) : null}
      {isThere ? (
        <ConfirmButton
          label={isWorking && !isReady ? 'Cancel and remove' : 'Remove'}
          title="Remove this profile"
          confirmLabel="Remove"
          isDisabled={remove.isPending}
          onConfirm={() => {
            acts.giveUp();
            remove.mutate(undefined);
          }}
        >
          Its service is stopped and its files are removed from the node. They can be downloaded again.
        </ConfirmButton>
      ) : null}
    </>
  );
}

function Ready({ projectId, modelId }: { readonly projectId: string; readonly modelId: string }): ReactNode {
  const name = `self/${modelId}`;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2">
      <Link
        to="/p/$projectId/models/chat"
        params={{ projectId }}
        search={{ model: name }}
        className={buttonClass('main')}
      >
        Chat with it
      </Link>
      <span className="text-muted">
        Programs call it <code className="font-mono text-xs text-ink">{name}</code>.
      </span>
    </p>
  );
}

/** Shows the progress in the title of the tab, for those who look elsewhere meanwhile. */
function useTabTitle(preparation: Preparation | undefined, name: string): void {
  const percentDone = Math.floor((preparation?.share ?? 0) * 100);
  const isWorking = preparation?.isWorking === true && !preparation.isReady;
  useEffect(() => {
    document.title = isWorking ? `${percentDone} % · ${name} · Clew` : `${name} · Clew`;
  }, [isWorking, percentDone, name]);
}
