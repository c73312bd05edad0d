import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery, membersQuery } from '../api/queries.ts';
import { CommandButton, Keys } from '../ui/button.tsx';
import type { Choice } from '../ui/menu-list.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';
import { MergeButton } from './merge-button.tsx';
import { SNOOZES, snoozeOfChoice } from './changes.ts';
import type { Triage } from './use-triage.tsx';

export interface TriageBarProps {
  readonly projectId: string;
  readonly findings: readonly Api.Finding[];
  readonly triage: Triage;
  /** Hears which Findings were merged into which one. */
  readonly onMerged?: (mergedIds: readonly string[], targetId: string) => void;
}

const NOBODY = 'nobody';
const WAKE = 'wake';

/** Buttons that change one Finding or many. */
export function TriageBar({ projectId, findings, triage, onMerged }: TriageBarProps): ReactNode {
  const all = (test: (finding: Api.Finding) => boolean) => findings.length > 0 && findings.every(test);
  const isConfirmed = all(({ reviewStatus }) => reviewStatus === 'confirmed');
  const isDismissed = all(({ reviewStatus }) => reviewStatus === 'dismissed');
  const isResolved = all(({ resolutionStatus }) => resolutionStatus === 'resolved');
  const isNothing = findings.length === 0;
  return (
    <div role="group" aria-label="Change" className="flex flex-wrap items-center gap-1.5">
      <CommandButton
        command="finding.confirm"
        isDisabled={isNothing}
        onPress={() => triage.change(findings, { reviewStatus: isConfirmed ? 'unreviewed' : 'confirmed' })}
      >
        {isConfirmed ? 'Confirmed ✓' : 'Confirm'} <Keys command="finding.confirm" />
      </CommandButton>
      <CommandButton
        command="finding.dismiss"
        isDisabled={isNothing}
        onPress={() => triage.change(findings, { reviewStatus: isDismissed ? 'unreviewed' : 'dismissed' })}
      >
        {isDismissed ? 'Dismissed ✓' : 'Dismiss'} <Keys command="finding.dismiss" />
      </CommandButton>
      <CommandButton
        command="finding.resolve"
        isDisabled={isNothing}
        onPress={() => triage.change(findings, { resolutionStatus: isResolved ? 'unresolved' : 'resolved' })}
      >
        {isResolved ? 'Resolved ✓' : 'Resolve'} <Keys command="finding.resolve" />
      </CommandButton>
      <SnoozeMenu {...{ findings, triage }} />
      <AssignMenu {...{ projectId, findings, triage }} />
      <MergeButton {...{ projectId, findings, onMerged }} />
    </div>
  );
}

function SnoozeMenu({ findings, triage }: Omit<TriageBarProps, 'projectId'>): ReactNode {
  const isSnoozed = findings.some(({ snooze }) => snooze !== null);
  const choices: Choice[] = SNOOZES.map(({ id, label }) => ({ id, label, text: label }));
  if (isSnoozed) choices.push({ id: WAKE, label: 'Wake it', text: 'Wake it' });
  return (
    <ChoiceMenu
      command="finding.snooze"
      isDisabled={findings.length === 0}
      label={
        <>
          {isSnoozed ? 'Snoozed' : 'Snooze'} <Keys command="finding.snooze" />
        </>
      }
      ariaLabel={isSnoozed ? 'Snoozed' : 'Snooze'}
      sections={[{ choices }]}
      onChoose={(id) => triage.change(findings, { snooze: snoozeOfChoice(id, Date.now()) })}
    />
  );
}

function AssignMenu({ projectId, findings, triage }: TriageBarProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members = [] } = useQuery(membersQuery(projectId));
  const isAssigned = (id: string | null) => findings.length > 0 && findings.every(({ assignee }) => assignee === id);
  const person = (id: string, name: string, hint?: string): Choice => ({
    id,
    label: name,
    text: name,
    hint,
    isChosen: isAssigned(id),
  });
  const own = me?.kind === 'user' ? [person(me.id, me.name ?? me.email ?? 'Me', 'me')] : [];
  const others = members.filter(({ userId, state }) => userId !== me?.id && state === 'active');
  return (
    <ChoiceMenu
      command="finding.assign"
      isDisabled={findings.length === 0}
      label={
        <>
          Assign <Keys command="finding.assign" />
        </>
      }
      ariaLabel="Assign"
      sections={[
        { choices: [...own, ...others.map(({ userId, name, email }) => person(userId, name, email))] },
        { choices: [{ id: NOBODY, label: 'Nobody', text: 'Nobody', isChosen: isAssigned(null) }] },
      ]}
      onChoose={(id) => triage.change(findings, { assignee: id === NOBODY ? null : id })}
    />
  );
}
