import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CollectionDraft } from '../collection/collection-draft.ts';
import { OBJECTIVES, REDACTION_HINT } from '../collection/words.ts';
import { goalChoicesQuery } from '../examples/queries.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { CheckField, TextField } from '../ui/fields.tsx';

interface FieldsProps {
  readonly projectId: string;
  readonly draft: CollectionDraft;
  readonly objective: NonNullable<CollectionDraft['objective']>;
  readonly change: (part: Partial<CollectionDraft>) => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<keyof CollectionDraft, string>;
}

/** Fields of a collection, as far as its objective has them. */
export function ObjectiveFields({ projectId, draft, objective, change, errors, problems }: FieldsProps): ReactNode {
  const { needsModel, from } = OBJECTIVES[objective];
  return (
    <>
      <CheckField
        label="Switched on"
        hint="Switched off, it keeps what it has and takes nothing further."
        isChecked={draft.isEnabled}
        onChange={(isEnabled) => change({ isEnabled })}
      />
      <CheckField
        label="Replace personal data and secrets"
        hint={REDACTION_HINT}
        isChecked={draft.redaction}
        onChange={(redaction) => change({ redaction })}
      />
      {needsModel ? (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Model that writes"
            isMono
            value={draft.model}
            maxLength={300}
            placeholder="service/auto"
            hint="Provider and model, such as openai/gpt-5 or self/qwen; empty: the one that suits"
            error={errors.get('collectionModel')}
            onChange={(model) => change({ model })}
          />
          <TextField
            label="Responses that models may write in a day"
            type="number"
            min={0}
            max={10_000}
            value={draft.dailySyntheses}
            error={problems.get('dailySyntheses') ?? errors.get('dailySyntheses')}
            onChange={(dailySyntheses) => change({ dailySyntheses })}
          />
        </div>
      ) : null}
      {from === 'items' ? <Goals {...{ projectId, draft, change }} /> : null}
      <div className="flex flex-col gap-2">
        <CheckField
          label="Catch up when it is switched on"
          hint="Otherwise it begins with what comes from then on."
          isChecked={draft.catchesUp}
          onChange={(catchesUp) => change({ catchesUp })}
        />
        {draft.catchesUp ? (
          <div className="grid gap-3 pl-5.5 sm:grid-cols-2">
            <TextField
              label="Days back"
              type="number"
              min={1}
              max={90}
              value={draft.days}
              error={problems.get('days')}
              onChange={(days) => change({ days })}
            />
            <TextField
              label="Conversations at most"
              type="number"
              min={1}
              max={10_000}
              value={draft.conversations}
              error={problems.get('conversations')}
              onChange={(conversations) => change({ conversations })}
            />
          </div>
        ) : null}
      </div>
    </>
  );
}

function Goals({ projectId, draft, change }: Pick<FieldsProps, 'projectId' | 'draft' | 'change'>): ReactNode {
  const { data: goals = [], error } = useQuery(goalChoicesQuery(projectId));
  const known = new Set(goals.map(({ id }) => id));
  const unknown = draft.goalIds.filter((id) => !known.has(id)).map((id) => ({ id, name: id }));
  const toggle = (id: string) =>
    change({
      goalIds: draft.goalIds.includes(id) ? draft.goalIds.filter((each) => each !== id) : [...draft.goalIds, id],
    });
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium">Only Knowledge of these Learning Goals</legend>
      {goals.length === 0 ? (
        <p className="text-muted">{error === null ? 'The project has none.' : error.message}</p>
      ) : (
        <p className="text-xs text-muted">None chosen: of all of them.</p>
      )}
      {[...goals, ...unknown].map(({ id, name }) => (
        <CheckField
          key={id}
          label={<HostileText text={name} />}
          isChecked={draft.goalIds.includes(id)}
          onChange={() => toggle(id)}
        />
      ))}
    </fieldset>
  );
}
