import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { conversationQuery } from '../api/queries.ts';
import { useChange } from '../ui/use-change.ts';
import { count, counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import type { Evidence } from '../transcript/evidence.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { Button, CommandButton, Keys } from '../ui/button.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { Panel } from '../ui/panel.tsx';
import { Loaded } from '../ui/states.tsx';

interface DryRunProps {
  readonly projectId: string;
  readonly expectation: Api.Expectation;
}

/** Trial of the stored check on the latest conversations; nothing is kept of it. */
export function DryRun({ projectId, expectation }: DryRunProps): ReactNode {
  const run = useChange(() => clew.expectations.check(expectation.id, { project: projectId }), {
    invalidates: [],
    onError: () => undefined,
  });
  return (
    <Panel
      title="Try it"
      hint="The check as it is saved, on the latest conversations. Nothing is changed by it."
      aside={
        <CommandButton command="expectation.try" isDisabled={run.isPending} onPress={() => run.mutate(undefined)}>
          {run.isPending ? 'Being tried…' : 'Try it'} <Keys command="expectation.try" />
        </CommandButton>
      }
    >
      <FormProblem error={run.error} />
      {run.data === undefined ? (
        run.error === null ? (
          <p className="text-muted">It was not tried here yet.</p>
        ) : null
      ) : (
        <Result projectId={projectId} result={run.data} />
      )}
    </Panel>
  );
}

interface ResultProps {
  readonly projectId: string;
  readonly result: Api.ExpectationDryRun;
}

function Result({ projectId, result: { conversations, broken, examples } }: ResultProps): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        <strong className="font-semibold tabular-nums">{count(broken)}</strong> of{' '}
        {counted(conversations, 'conversation')} break it.
      </p>
      <ul className="flex flex-col gap-2">
        {examples.map((example) => (
          <Example key={example.conversationId} {...{ projectId, example }} />
        ))}
      </ul>
    </div>
  );
}

interface ExampleProps {
  readonly projectId: string;
  readonly example: Api.ExpectationDryRun['examples'][number];
}

function Example({ projectId, example }: ExampleProps): ReactNode {
  const { conversationId, violations, reason, location } = example;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="rounded-md border border-line">
      <div className="flex items-center gap-2 px-3 py-2">
        <p className="min-w-0 flex-1">
          <HostileText text={reason} />
          <span className="block text-xs text-muted">
            At step {location.stepIndex + 1}
            {violations > 1 ? `, and ${counted(violations - 1, 'further step')}` : ''}
          </span>
        </p>
        <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Show'}
        </Button>
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId }}
          search={{ step: location.stepIndex }}
          className="text-xs underline"
        >
          Open
        </Link>
      </div>
      {isOpen ? <ExampleTranscript {...{ projectId, example }} /> : null}
    </li>
  );
}

function ExampleTranscript({ projectId, example }: ExampleProps): ReactNode {
  const { conversationId, reason, location } = example;
  const conversation = useQuery(conversationQuery(projectId, conversationId));
  const evidence: Evidence[] = [
    {
      ...{ id: 'example', kind: 'symptom', stepIndex: location.stepIndex },
      ...{ title: 'It is broken here', because: reason, quotes: location.quotes },
    },
  ];
  return (
    <div className="flex h-96 flex-col border-t border-line bg-canvas">
      <Loaded query={conversation} label="The conversation is being read" lines={5}>
        {({ messages }) => (
          <Transcript messages={messages} evidence={evidence} stepIndex={location.stepIndex} currentId="example" />
        )}
      </Loaded>
    </div>
  );
}
