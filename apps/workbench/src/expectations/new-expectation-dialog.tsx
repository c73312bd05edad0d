import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { bodyOf, draftOf, ExpectationFields, type ExpectationDraft } from './expectation-fields.tsx';
import { expectationsKey } from './queries.ts';

interface NewExpectationProps {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onMade: (made: Api.Expectation) => void;
}

/** Form of an Expectation that a person writes; it is proposed, so that it can be tried first. */
export function NewExpectationDialog({ projectId, onClose, onMade }: NewExpectationProps): ReactNode {
  const [draft, setDraft] = useState<ExpectationDraft>(() =>
    draftOf({ statement: '', severity: 'medium', check: { form: 'never_call', tools: [] } }),
  );
  const body = bodyOf(draft);
  const create = useChange(
    (next: NonNullable<typeof body>) =>
      clew.expectations.create({ ...next, status: 'proposed' }, { project: projectId }),
    { invalidates: [expectationsKey(projectId)], onDone: onMade, onError: () => undefined },
  );
  return (
    <FormDialog
      {...{ onClose }}
      title="New Expectation"
      submitLabel="Propose it"
      isWide
      fields={['statement', 'check.pattern', 'check.tools']}
      isPending={create.isPending}
      isIncomplete={body === undefined}
      error={create.error}
      onSubmit={() => {
        if (body !== undefined) create.mutate(body);
      }}
    >
      <ExpectationFields draft={draft} onDraft={setDraft} error={create.error} />
    </FormDialog>
  );
}
