import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { useEdit } from '../api/use-edit.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { sentence } from '../text/format.ts';
import { Time } from '../text/time.tsx';
import { Badge, SeverityMark } from '../ui/badges.tsx';
import { Button, CommandButton, Keys } from '../ui/button.tsx';
import { FieldClash } from '../ui/clash-note.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { notify } from '../ui/notices.tsx';
import { checkText } from './check-form.ts';
import { DryRun } from './dry-run.tsx';
import { bodyOf, draftOf, ExpectationFields, type ExpectationDraft } from './expectation-fields.tsx';
import { expectationsKey } from './queries.ts';

interface ExpectationViewProps {
  readonly projectId: string;
  readonly expectation: Api.Expectation;
  readonly mayWrite: boolean;
  /** Switches it on or off. */
  readonly onStatus: (next: 'active' | 'off') => void;
  /** Called when it leaves the list that is shown. */
  readonly onLeft: () => void;
}

const STATUS_TONES = { active: 'ok', proposed: 'medium', off: 'info' } as const;

/** One Expectation: where it comes from, its check, and what it would find. */
export function ExpectationView(props: ExpectationViewProps): ReactNode {
  const { projectId, expectation, mayWrite } = props;
  const { quote, source, status, createdAt, severity } = expectation;
  return (
    <section aria-label="Expectation" className="min-h-0 min-w-0 flex-1 overflow-auto px-5 pt-3 pb-10">
      <div className="flex max-w-3xl flex-col gap-4">
        <header className="flex flex-wrap items-center gap-2">
          <Badge tone={STATUS_TONES[status]}>{sentence(status)}</Badge>
          <SeverityMark severity={severity} />
          <span className="text-xs text-muted">
            {source === 'compiled' ? 'From a prompt' : 'Written by a person'}, <Time atMs={createdAt} />
          </span>
          {mayWrite ? <Deeds {...props} /> : null}
        </header>
        {quote === undefined ? null : (
          <figure className="border-l-2 border-accent pl-3">
            <blockquote className="text-base">
              <HostileText text={quote} />
            </blockquote>
            <figcaption className="text-xs text-muted">The sentence of the prompt</figcaption>
          </figure>
        )}
        {mayWrite ? (
          <ExpectationForm {...{ projectId, expectation }} />
        ) : (
          <div>
            <h2 className="text-base font-semibold">
              <HostileText text={expectation.statement} />
            </h2>
            <HostileText className="text-muted" text={checkText(expectation.check)} />
          </div>
        )}
        {mayWrite ? <DryRun {...{ projectId, expectation }} /> : null}
      </div>
    </section>
  );
}

function Deeds({ projectId, expectation, onStatus, onLeft }: Omit<ExpectationViewProps, 'mayWrite'>): ReactNode {
  const { id, status } = expectation;
  const remove = useChange(() => clew.expectations.delete(id, { project: projectId }), {
    invalidates: [expectationsKey(projectId)],
    onDone: onLeft,
  });
  return (
    <span className="ml-auto flex gap-1.5">
      {status === 'active' ? null : (
        <CommandButton command="expectation.activate" look="main" onPress={() => onStatus('active')}>
          Activate <Keys command="expectation.activate" />
        </CommandButton>
      )}
      {status === 'off' ? null : (
        <CommandButton command="expectation.off" onPress={() => onStatus('off')}>
          Off <Keys command="expectation.off" />
        </CommandButton>
      )}
      <ConfirmButton
        label="Delete…"
        title="Delete the Expectation?"
        confirmLabel="Delete"
        isDisabled={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        It is withdrawn from the conversations that showed it. It does not come back when a prompt states it again.
      </ConfirmButton>
    </span>
  );
}

function ExpectationForm({
  projectId,
  expectation,
}: Pick<ExpectationViewProps, 'projectId' | 'expectation'>): ReactNode {
  const { id } = expectation;
  const [typed, setTyped] = useState<ExpectationDraft>();
  const edit = useEdit({
    key: ['expectation', projectId, id],
    read: () => clew.expectations.get(id, { project: projectId }),
    change: (body: Api.UpdateExpectationData['body'], options) =>
      clew.expectations.update(id, body, { project: projectId, ...options }),
    invalidates: [expectationsKey(projectId)],
    onDone: () => {
      setTyped(undefined);
      notify('Saved. Conversations that showed it are tried again.');
    },
  });
  const draft = typed ?? draftOf(edit.thing ?? expectation);
  const body = bodyOf(draft);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== undefined && typed !== undefined) edit.save(body);
      }}
    >
      <ExpectationFields draft={draft} onDraft={setTyped} error={edit.error} />
      <FieldClash clash={edit.clash} />
      <FormProblem error={edit.error ?? edit.readError} fields={['statement', 'check.pattern']} />
      {typed === undefined ? null : (
        <div className="flex gap-2">
          <Button type="submit" look="main" isDisabled={body === undefined || edit.isPending}>
            {edit.clash === undefined ? 'Save' : 'Save over it'}
          </Button>
          <Button look="quiet" onPress={() => setTyped(undefined)}>
            As it was
          </Button>
        </div>
      )}
    </form>
  );
}
