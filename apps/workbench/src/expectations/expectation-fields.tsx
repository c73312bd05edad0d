import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { sentence } from '../text/format.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { checkDraft, checkOf, FORM_IDS, FORMS, hasField, isOptional, type CheckDraft } from './check-form.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export interface ExpectationDraft {
  readonly statement: string;
  readonly severity: Api.Expectation['severity'];
  readonly check: CheckDraft;
}

export function draftOf({ statement, severity, check }: Pick<Api.Expectation, 'statement' | 'severity' | 'check'>) {
  return { statement, severity, check: checkDraft(check) };
}

/** Body of what was typed; undefined while something is missing. */
export function bodyOf({ statement, severity, check }: ExpectationDraft) {
  const whole = checkOf(check);
  if (whole === undefined || statement.trim() === '') return undefined;
  return { statement: statement.trim(), severity, check: whole };
}

interface ExpectationFieldsProps {
  readonly draft: ExpectationDraft;
  readonly onDraft: (draft: ExpectationDraft) => void;
  readonly error: Error | null;
}

/** Fields of an Expectation: what is expected, and how it is checked. */
export function ExpectationFields({ draft, onDraft, error }: ExpectationFieldsProps): ReactNode {
  const errors = fieldErrors(error);
  const { statement, severity, check } = draft;
  return (
    <>
      <TextArea
        label="What is expected"
        rows={2}
        maxLength={1_000}
        value={statement}
        onChange={(value) => onDraft({ ...draft, statement: value })}
        error={errors.get('statement')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="How it is checked"
          value={check.form}
          onChange={(id) => {
            const form = FORM_IDS.find((each) => each === id) ?? check.form;
            onDraft({ ...draft, check: { ...check, form } });
          }}
          options={FORM_IDS.map((id) => ({ id, label: FORMS[id].label }))}
        />
        <SelectField
          label="Severity"
          value={severity}
          onChange={(id) => onDraft({ ...draft, severity: SEVERITIES.find((each) => each === id) ?? severity })}
          options={SEVERITIES.map((id) => ({ id, label: sentence(id) }))}
        />
      </div>
      <CheckFields check={check} onCheck={(next) => onDraft({ ...draft, check: next })} errors={errors} />
    </>
  );
}

interface CheckFieldsProps {
  readonly check: CheckDraft;
  readonly onCheck: (check: CheckDraft) => void;
  readonly errors: ReadonlyMap<string, string>;
}

function CheckFields({ check, onCheck, errors }: CheckFieldsProps): ReactNode {
  const { form } = check;
  const label = (name: string, field: Parameters<typeof isOptional>[1]) =>
    isOptional(form, field) ? `${name} (if any)` : name;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {hasField(form, 'tools') ? (
        <TextArea
          label={label('Tools', 'tools')}
          hint="One a line; * stands for any characters."
          rows={3}
          isMono
          value={check.tools}
          onChange={(tools) => onCheck({ ...check, tools })}
          error={errors.get('check.tools')}
        />
      ) : null}
      {hasField(form, 'one_of') ? (
        <TextArea
          label="Before them, one of"
          hint="One a line."
          rows={3}
          isMono
          value={check.one_of}
          onChange={(one_of) => onCheck({ ...check, one_of })}
          error={errors.get('check.one_of')}
        />
      ) : null}
      {hasField(form, 'parameters') ? (
        <TextArea
          label={label('Parameters', 'parameters')}
          hint="One a line. Without them, all values that look like ids, numbers or addresses."
          rows={3}
          isMono
          value={check.parameters}
          onChange={(parameters) => onCheck({ ...check, parameters })}
          error={errors.get('check.parameters')}
        />
      ) : null}
      {hasField(form, 'count') ? (
        <TextField
          label="At most"
          type="number"
          min={1}
          max={10_000}
          value={check.count}
          onChange={(count) => onCheck({ ...check, count })}
          error={errors.get('check.count')}
        />
      ) : null}
      {hasField(form, 'pattern') ? (
        <TextField
          label={label('Regular expression (RE2)', 'pattern')}
          isMono
          maxLength={500}
          value={check.pattern}
          onChange={(pattern) => onCheck({ ...check, pattern })}
          error={errors.get('check.pattern')}
        />
      ) : null}
      <TextField
        label="Agent (if not all)"
        value={check.agent}
        onChange={(agent) => onCheck({ ...check, agent })}
        error={errors.get('check.agent')}
      />
    </div>
  );
}
