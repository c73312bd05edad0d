import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { conversationQuery } from '../api/queries.ts';
import { inputText, outputText } from '../examples/payload-text.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { Section } from '../ui/section.tsx';
import { Loaded } from '../ui/states.tsx';
import { SOURCE_LABELS } from './example-columns.tsx';

interface PanelProps {
  readonly projectId: string;
  readonly example: Api.Example | undefined;
}

/** Side of the list: where the Example under the cursor is from. */
export function SourcePanel({ projectId, example }: PanelProps): ReactNode {
  const conversationId = example?.source.conversationId;
  return (
    <aside
      aria-label="Source"
      className="flex w-[26rem] shrink-0 flex-col overflow-hidden border-l border-line max-lg:w-full max-lg:border-t"
    >
      {example === undefined ? (
        <p className="p-4 text-muted">Move the cursor to an Example to see where it is from.</p>
      ) : (
        <>
          <Section title={SOURCE_LABELS[example.source.kind]}>
            <SourceFacts {...{ projectId, example }} />
          </Section>
          {conversationId === undefined ? (
            <Whole example={example} />
          ) : (
            <SourceConversation key={conversationId} {...{ projectId, conversationId }} />
          )}
        </>
      )}
    </aside>
  );
}

function SourceFacts({ projectId, example }: { readonly projectId: string; readonly example: Api.Example }): ReactNode {
  const { conversationId, externalRef, derivationKey } = example.source;
  return (
    <dl className="grid grid-cols-[6.5rem_1fr] gap-y-1">
      {conversationId === undefined ? null : (
        <>
          <dt className="text-muted">Conversation</dt>
          <dd className="truncate font-mono text-xs">
            <Link
              to="/p/$projectId/conversations/$conversationId"
              params={{ projectId, conversationId }}
              className="underline"
            >
              <bdi>{conversationId}</bdi>
            </Link>
          </dd>
        </>
      )}
      {externalRef === undefined ? null : (
        <>
          <dt className="text-muted">Reference</dt>
          <dd className="truncate">
            <HostileText text={externalRef} />
          </dd>
        </>
      )}
      {derivationKey === undefined ? null : (
        <>
          <dt className="text-muted">Derived as</dt>
          <dd className="truncate font-mono text-xs">
            <HostileText text={derivationKey} />
          </dd>
        </>
      )}
    </dl>
  );
}

function SourceConversation(props: { readonly projectId: string; readonly conversationId: string }): ReactNode {
  const conversation = useQuery(conversationQuery(props.projectId, props.conversationId));
  return (
    <Loaded query={conversation} label="The conversation is being read" lines={5}>
      {({ messages }) =>
        messages.length === 0 ? (
          <p className="p-4 text-muted">The words of the conversation have expired.</p>
        ) : (
          <Transcript messages={messages} evidence={[]} stepIndex={undefined} currentId={undefined} />
        )
      }
    </Loaded>
  );
}

function Whole({ example: { payload } }: { readonly example: Api.Example }): ReactNode {
  const parts = [
    ['Input', inputText(payload.input)],
    ['Expected', outputText(payload.expectedOutput)],
    ['Rejected', outputText(payload.rejectedOutput)],
  ] as const;
  return (
    <div tabIndex={0} role="region" aria-label="Example" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      {parts.map(([title, text]) =>
        text === '' ? null : (
          <Section key={title} title={title}>
            <p className="hostile">
              <HostileText text={text.slice(0, 4_000)} />
            </p>
          </Section>
        ),
      )}
    </div>
  );
}
