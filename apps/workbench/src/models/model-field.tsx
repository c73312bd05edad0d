import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { visibleText } from '../text/visible-text.ts';
import { SelectField, TextField } from '../ui/fields.tsx';
import { AUTO_MODEL, modelOptions, OTHER_MODEL } from './model-options.ts';
import { providersQuery } from './queries.ts';
import { runtimeQuery } from '../runtime/queries.ts';

interface ModelFieldProps {
  readonly projectId: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (model: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly isDisabled?: boolean;
}

/** Choice of a model: the best that is there, one of the local ones, or one of a provider, which is named. */
export function ModelField({ projectId, value, onChange, hint, error, ...field }: ModelFieldProps): ReactNode {
  const { data: runtime } = useQuery(runtimeQuery(projectId));
  const { data: providers = [] } = useQuery(providersQuery(projectId));
  const [isOther, setOther] = useState(false);
  const options = modelOptions(runtime?.services ?? [], value);
  const example = `${providers[0]?.name ?? 'provider'}/model`;
  return (
    <div className="flex flex-col gap-1.5">
      <SelectField
        {...field}
        hint={isOther ? undefined : hint}
        error={isOther ? undefined : error}
        value={isOther ? OTHER_MODEL : value}
        options={options.map(({ id, label }) => ({ id, label: visibleText(label) }))}
        onChange={(chosen) => {
          setOther(chosen === OTHER_MODEL);
          onChange(chosen === OTHER_MODEL ? '' : chosen);
        }}
      />
      {isOther ? (
        <TextField
          label="Name of the model"
          value={value === AUTO_MODEL ? '' : value}
          placeholder={example}
          isMono
          hint={`The provider and the model: ${example}. The test of a provider lists its models.`}
          {...{ error, onChange }}
        />
      ) : null}
    </div>
  );
}
