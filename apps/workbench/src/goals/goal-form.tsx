import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { ModelField } from '../models/model-field.tsx';
import { AUTO_MODEL } from '../models/model-options.ts';
import { ProviderDialog } from '../models/provider-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { CheckField, TextArea, TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';

/** Fields of a Learning Goal that a person writes. */
export interface GoalFields {
  readonly name: string;
  readonly instruction: string;
  readonly model: string;
  readonly systemPrompt: boolean;
}

export const NEW_GOAL: GoalFields = { name: '', instruction: '', model: AUTO_MODEL, systemPrompt: false };

export function fieldsOf({ name, instruction, model, sources }: Api.LearningGoal): GoalFields {
  return { name, instruction, model, systemPrompt: sources.systemPrompt };
}

interface FormProps {
  readonly id: string;
  readonly projectId: string;
  readonly fields: GoalFields;
  readonly onFields: (fields: GoalFields) => void;
  readonly onSubmit: () => void;
  readonly error: Error | null;
}

const TAKEN = ['name', 'instruction', 'model'];

/** Form for a Learning Goal. */
export function GoalForm({ id, projectId, fields, onFields, onSubmit, error }: FormProps): ReactNode {
  const errors = fieldErrors(error);
  const set = (change: Partial<GoalFields>) => onFields({ ...fields, ...change });
  return (
    <form
      id={id}
      aria-label="Learning Goal"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField
        label="Name"
        value={fields.name}
        maxLength={200}
        autoFocus
        error={errors.get('name')}
        placeholder="Delivery promises"
        onChange={(name) => set({ name })}
      />
      <TextArea
        label="What is to be learned"
        value={fields.instruction}
        maxLength={8_000}
        rows={6}
        error={errors.get('instruction')}
        hint="In plain words, as you would say it to a colleague. Only what somebody said in a conversation is learned, with the quote."
        placeholder="What we promise customers about delivery: times, costs, exceptions by country."
        onChange={(instruction) => set({ instruction })}
      />
      <ModelField
        label="Model that reads the conversations"
        projectId={projectId}
        value={fields.model}
        error={errors.get('model')}
        onChange={(model) => set({ model })}
      />
      {errors.has('model') ? <MissingModel projectId={projectId} /> : null}
      <CheckField
        label="Learn from system prompts too"
        hint="Only if they are the project’s own words. They then count as policies."
        isChecked={fields.systemPrompt}
        onChange={(systemPrompt) => set({ systemPrompt })}
      />
      <FormError error={error} taken={TAKEN.some((name) => errors.has(name))} />
    </form>
  );
}

/** Way to a model for those who lack one, which leaves what they wrote as it is. */
function MissingModel({ projectId }: Pick<FormProps, 'projectId'>): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [isOpen, setOpen] = useState(false);
  if (me === undefined || !may(me, projectId, 'project:models:manage')) return null;
  return (
    <div>
      <Button onPress={() => setOpen(true)}>Add a provider</Button>
      {isOpen ? <ProviderDialog {...{ projectId }} provider={undefined} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/** Fields of a form that begin with what is stored, and stay as they are typed. */
export function useGoalFields(first: GoalFields) {
  const [fields, setFields] = useState(first);
  const isComplete = fields.name.trim() !== '' && fields.instruction.trim() !== '';
  return { fields, setFields, isComplete };
}
