import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { diagnosisQuery, firstMessagesQuery } from '../api/queries.ts';
import { Verdict } from '../conversation/verdict.tsx';
import { counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { SeverityMark, StatusBadge } from '../ui/badges.tsx';
import { buttonClass, Keys } from '../ui/button.tsx';
import { PeekPanel } from '../ui/peek-panel.tsx';
import { Section } from '../ui/section.tsx';
import { Loaded, Skeleton } from '../ui/states.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { messageGist } from './message-gist.ts';

interface PeekProps {
  readonly projectId: string;
  readonly conversationId: string;
  /** The conversation as the list has it. */
  readonly row: Api.ConversationSummary | undefined;
  /** State in which its page is opened. */
  readonly search: { find?: string };
  readonly onClose: () => void;
}

/** Gist of a conversation beside the list. */
export function ConversationPeek({ projectId, conversationId, row, search, onClose }: PeekProps): ReactNode {
  const isSettled = useSettled(conversationId) === conversationId;
  return (
    <PeekPanel
      title="Conversation"
      onClose={onClose}
      link={
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId }}
          search={search}
          className={buttonClass('quiet', 'h-6 px-1.5 text-xs')}
        >
          Open <Keys command="list.open" />
        </Link>
      }
    >
      <div className="border-b border-line px-4 py-3">
        <h2 className="line-clamp-3 text-base font-semibold">
          <HostileText text={row === undefined || row.preview === '' ? conversationId : row.preview} />
        </h2>
        {row === undefined ? null : (
          <p className="mt-1 text-xs text-muted">
            {counted(row.messageCount, 'message')}
            {row.errorCount === 0 ? '' : ` · ${counted(row.errorCount, 'error')}`} · <Time atMs={row.startedAt} />
          </p>
        )}
      </div>
      {isSettled ? (
        <>
          <Diagnosis {...{ projectId, conversationId }} hasSnapshot={row?.snapshotId !== null} />
          <FirstMessages {...{ projectId, conversationId }} />
        </>
      ) : (
        <Skeleton label="The conversation is being read" lines={6} />
      )}
    </PeekPanel>
  );
}

interface PartProps {
  readonly projectId: string;
  readonly conversationId: string;
}

function Diagnosis({
  projectId,
  conversationId,
  hasSnapshot,
}: PartProps & { readonly hasSnapshot: boolean }): ReactNode {
  const diagnosis = useQuery(diagnosisQuery(projectId, conversationId, hasSnapshot));
  return (
    <Loaded query={diagnosis} label="The diagnosis is being read" lines={2}>
      {(data) => (
        <>
          <Section title="How it went">
            <Verdict diagnosis={data} />
          </Section>
          {data === null || data.findings.length === 0 ? null : (
            <Section title="Findings">
              <ul className="flex flex-col gap-2">
                {data.findings.map(({ id, title, severity, reviewStatus }) => (
                  <li key={id}>
                    <Link
                      to="/p/$projectId/findings/$findingId"
                      params={{ projectId, findingId: id }}
                      search={{ conversation: conversationId }}
                      className="font-medium hover:underline"
                    >
                      <HostileText text={title} />
                    </Link>
                    <span className="mt-0.5 flex items-center gap-2 text-xs">
                      <SeverityMark severity={severity} />
                      <StatusBadge status={reviewStatus} />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

function FirstMessages({ projectId, conversationId }: PartProps): ReactNode {
  const messages = useQuery(firstMessagesQuery(projectId, conversationId));
  return (
    <Section title="How it begins">
      <Loaded query={messages} label="The messages are being read" lines={4}>
        {(data) =>
          data.length === 0 ? (
            <p className="text-muted">No messages are there: it still goes on, or they have expired.</p>
          ) : (
            <ol className="flex flex-col gap-2">
              {data.map((message) => (
                <li key={message.index}>
                  <p className="text-xs font-semibold capitalize">{message.role}</p>
                  <p className="hostile line-clamp-4 text-muted">
                    <HostileText text={messageGist(message)} />
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}
