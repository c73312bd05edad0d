import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { ruleQuery } from '../rules/queries.ts';
import { counted, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { refreshFindings } from '../triage/use-merge.ts';
import { toggled } from '../ui/selection.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { notify } from '../ui/notices.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Occurrences } from './occurrences.ts';

interface SplitProps {
  readonly projectId: string;
  readonly finding: Api.Finding;
  readonly occurrences: Occurrences;
}

/** Button that makes a Finding of its own of some of the conversations. */
export function SplitButton(props: SplitProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" className="h-6 px-1.5 text-xs" onPress={() => setOpen(true)}>
        Split…
      </Button>
      {isOpen ? <SplitDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const WAYS = [
  { id: 'conversations', label: 'These conversations' },
  { id: 'signal', label: 'Those with a signal' },
] as const;

function SplitDialog({ projectId, finding, occurrences, onClose }: SplitProps & { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('conversations');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [signal, setSignal] = useState('');
  const rule = useQuery(ruleQuery(projectId, finding.metadata.diagnosticRule.ruleId));
  const signals = rule.data?.signals ?? [];
  const fired = signal === '' ? signals[0]?.name : signal;
  const split = useMutation({
    mutationFn: async (condition: Api.SplitCondition) =>
      clew.findings.split(finding.id, condition, { project: projectId }),
    onSuccess: ({ id, occurrenceCount }) => {
      onClose();
      notify(`${counted(occurrenceCount, 'conversation')} split off`);
      void refreshFindings(client, projectId);
      void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId: id } });
    },
    onError: () => undefined,
  });
  const condition = way === 'signal' ? { signal: fired } : { conversationIds: [...chosen] };
  return (
    <FormDialog
      title="Split the Finding"
      submitLabel="Split off"
      isWide
      onClose={onClose}
      isPending={split.isPending}
      isIncomplete={way === 'signal' ? fired === undefined : chosen.size === 0}
      error={split.error}
      onSubmit={() => split.mutate(condition)}
    >
      <Tabs label="Conversations to split off" tabs={WAYS} chosen={way} onChoose={setWay} />
      {way === 'signal' ? (
        signals.length === 0 ? (
          <p className="text-muted">{rule.error?.message ?? 'The Rule has no signals to choose from.'}</p>
        ) : (
          <SelectField
            label="Signal of the Rule"
            value={fired ?? ''}
            options={signals.map(({ name }) => ({ id: name, label: sentence(name) }))}
            onChange={setSignal}
          />
        )
      ) : (
        <ConversationChoice {...{ occurrences, chosen }} onToggle={(id) => setChosen(toggled(chosen, id))} />
      )}
      <p className="text-muted">
        They become a Finding of their own, and what is found in them later follows
        {way === 'signal' ? ', as do conversations to come in which the signal fires' : ''}. Merging it back undoes
        this.
      </p>
    </FormDialog>
  );
}

interface ChoiceProps {
  readonly occurrences: Occurrences;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (conversationId: string) => void;
}

function ConversationChoice({ occurrences: { all, readMore }, chosen, onToggle }: ChoiceProps): ReactNode {
  // A conversation may show several of the Findings that were merged.
  const conversations = [...new Map(all.map((each) => [each.conversationId, each])).values()];
  return (
    <fieldset className="max-h-72 min-w-0 overflow-auto rounded-md border border-line">
      <legend className="sr-only">Conversations</legend>
      {conversations.map(({ conversationId, summary, conversationStartedAt }) => (
        <label
          key={conversationId}
          className="flex items-center gap-2.5 border-b border-line px-2.5 py-1.5 last:border-b-0 hover:bg-hover"
        >
          <input
            type="checkbox"
            checked={chosen.has(conversationId)}
            className="size-3.5 shrink-0 accent-[var(--accent)]"
            onChange={() => onToggle(conversationId)}
          />
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              <HostileText text={summary} />
            </span>
            <span className="block truncate font-mono text-xs text-muted">
              <bdi>{conversationId}</bdi>
            </span>
          </span>
          <Time atMs={conversationStartedAt} className="shrink-0 text-xs text-muted" />
        </label>
      ))}
      {readMore === undefined ? null : (
        <Button look="quiet" onPress={readMore}>
          Show more
        </Button>
      )}
    </fieldset>
  );
}
