import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { HostileText } from '../text/hostile-text.tsx';
import { Suspect } from '../transcript/suspect.tsx';
import { SeverityMark, StatusBadge } from '../ui/badges.tsx';
import { Section } from '../ui/section.tsx';
import { Loaded } from '../ui/states.tsx';
import { Verdict } from './verdict.tsx';

interface ColumnProps {
  readonly projectId: string;
  readonly diagnosis: UseQueryResult<Api.ConversationDiagnosis | null>;
  /** Findings whose marks are switched off. */
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (findingId: string) => void;
  readonly onStep: (stepIndex: number) => void;
}

/** Side of a conversation: how it went, and where the trouble may have begun. */
export function DiagnosisColumn({ diagnosis, ...rest }: ColumnProps): ReactNode {
  return (
    <aside aria-label="Diagnosis" className="shrink-0 overflow-auto border-l border-line lg:w-80">
      <Loaded query={diagnosis} label="The diagnosis is being read" lines={4}>
        {(data) => (
          <>
            <Section title="How it went">
              <Verdict diagnosis={data} />
            </Section>
            {data === null ? null : <Diagnosis data={data} {...rest} />}
          </>
        )}
      </Loaded>
    </aside>
  );
}

type DiagnosisProps = Omit<ColumnProps, 'diagnosis'> & { readonly data: Api.ConversationDiagnosis };

function Diagnosis({ projectId, data, hidden, onToggle, onStep }: DiagnosisProps): ReactNode {
  return (
    <>
      {data.suspects.length === 0 ? null : (
        <Section title="Where it may have begun">
          <ol className="flex flex-col gap-1.5">
            {data.suspects.map((suspect) => (
              <li key={suspect.stepIndex}>
                <button
                  type="button"
                  className="w-full rounded bg-suspect-soft px-2 py-1.5 text-left text-xs"
                  onClick={() => onStep(suspect.stepIndex)}
                >
                  <Suspect suspect={suspect} />
                </button>
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Section title="Findings">
        {data.findings.length === 0 ? <p className="text-muted">It shows none.</p> : null}
        <ul className="flex flex-col gap-2.5">
          {data.findings.map((finding) => (
            <li key={finding.id} className="flex flex-col gap-1">
              <Link
                to="/p/$projectId/findings/$findingId"
                params={{ projectId, findingId: finding.id }}
                className="font-medium hover:underline"
              >
                <HostileText text={finding.title} />
              </Link>
              <span className="flex flex-wrap items-center gap-2 text-xs">
                <SeverityMark severity={finding.severity} />
                <StatusBadge status={finding.reviewStatus} />
                <label className="ml-auto flex items-center gap-1 text-muted">
                  <input
                    type="checkbox"
                    className="accent-[var(--accent)]"
                    checked={!hidden.has(finding.id)}
                    onChange={() => onToggle(finding.id)}
                  />
                  Marks
                </label>
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
