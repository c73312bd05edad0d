import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { useChange } from '../../ui/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { CheckField, TextArea, TextField } from '../../ui/fields.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { telemetrySettingsQuery } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import { DETECTORS, linesOf, patternDrafts, patternsOf, type PatternDraft } from './masking-form.ts';
import type { TelemetryFormProps } from './telemetry-form-props.ts';

type Masking = Api.TelemetrySettings['masking'];

/** Form of what is masked before anything is stored. */
export function MaskingPanel({ projectId, stored, mayChange }: TelemetryFormProps): ReactNode {
  return (
    <Panel
      title="Masking"
      hint="Secrets and personal data are replaced before they are stored, in everything that arrives from then on. It is in force within seconds."
    >
      <MaskingForm key={JSON.stringify(stored.masking)} masking={stored.masking} {...{ projectId, mayChange }} />
    </Panel>
  );
}

interface MaskingFormProps {
  readonly projectId: string;
  readonly masking: Masking;
  readonly mayChange: boolean;
}

function MaskingForm({ projectId, masking, mayChange }: MaskingFormProps): ReactNode {
  const [enabled, setEnabled] = useState(masking.enabled);
  const [builtIn, setBuiltIn] = useState(masking.builtIn);
  const [allow, setAllow] = useState(masking.allow.join('\n'));
  const [drafts, setDrafts] = useState<readonly PatternDraft[]>(() => patternDrafts(masking.patterns));
  const typed: Masking = { enabled, patterns: patternsOf(drafts), allow: linesOf(allow), builtIn };
  const save = useChange(() => clew.telemetry.settings.update({ masking: typed }, { project: projectId }), {
    invalidates: [telemetrySettingsQuery(projectId).queryKey],
    onDone: () => notify('Saved. It is in force within seconds.'),
    onError: () => undefined,
  });
  const errors = fieldErrors(save.error);
  const isDisabled = !mayChange || !enabled;
  const reset = () => {
    setEnabled(masking.enabled);
    setBuiltIn(masking.builtIn);
    setAllow(masking.allow.join('\n'));
    setDrafts(patternDrafts(masking.patterns));
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <CheckField label="Mask what arrives" isChecked={enabled} onChange={setEnabled} isDisabled={!mayChange} />
      <fieldset className="rounded-md border border-line px-3 py-2">
        <legend className="px-1 font-medium">It finds</legend>
        <div className="grid grid-cols-1 gap-2 sm:grid-cols-3">
          {DETECTORS.map(({ id, label }) => (
            <CheckField
              key={id}
              label={label}
              isChecked={builtIn[id]}
              onChange={(isChecked) => setBuiltIn({ ...builtIn, [id]: isChecked })}
              {...{ isDisabled }}
            />
          ))}
        </div>
      </fieldset>
      <PatternFields {...{ drafts, setDrafts, errors, isDisabled }} />
      <TextArea
        label="Never masked"
        hint="One value a line, whatever its case; @example.com allows every address there."
        rows={3}
        value={allow}
        onChange={setAllow}
        error={errors.get('masking.allow')}
        {...{ isDisabled }}
      />
      {mayChange ? (
        <SaveBar
          isChanged={JSON.stringify(typed) !== JSON.stringify(inOrder(masking))}
          isPending={save.isPending}
          error={save.error}
          fields={[
            'masking.allow',
            ...drafts.flatMap((_, at) => FIELDS.map((name) => `masking.patterns.${at}.${name}`)),
          ]}
          onReset={reset}
        />
      ) : null}
    </form>
  );
}

const FIELDS = ['name', 'pattern', 'replacement'] as const;

/** The same members in the order of the form, so that the two can be compared. */
function inOrder({ enabled, patterns, allow, builtIn }: Masking): Masking {
  return { enabled, patterns: patternsOf(patternDrafts(patterns)), allow, builtIn };
}

interface PatternFieldsProps {
  readonly drafts: readonly PatternDraft[];
  readonly setDrafts: (drafts: readonly PatternDraft[]) => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly isDisabled: boolean;
}

function PatternFields({ drafts, setDrafts, errors, isDisabled }: PatternFieldsProps): ReactNode {
  const set = (at: number, change: Partial<PatternDraft>) =>
    setDrafts(drafts.map((draft, index) => (index === at ? { ...draft, ...change } : draft)));
  return (
    <fieldset className="rounded-md border border-line px-3 py-2">
      <legend className="px-1 font-medium">Patterns of your own</legend>
      <div className="flex flex-col gap-2">
        {drafts.length === 0 ? (
          <p className="text-muted">None. A pattern finds what is yours alone, such as numbers of orders.</p>
        ) : null}
        {drafts.map(({ name, pattern, replacement }, at) => (
          <div key={at} className="flex flex-wrap items-start gap-2">
            <TextField
              label="Name"
              value={name}
              placeholder="order"
              maxLength={50}
              onChange={(value) => set(at, { name: value })}
              error={errors.get(`masking.patterns.${at}.name`)}
              {...{ isDisabled }}
            />
            <TextField
              className="min-w-56 flex-1"
              label="Regular expression (RE2)"
              isMono
              value={pattern}
              placeholder="ORD-\d{6}"
              onChange={(value) => set(at, { pattern: value })}
              error={errors.get(`masking.patterns.${at}.pattern`)}
              {...{ isDisabled }}
            />
            <TextField
              label="In its place"
              value={replacement}
              placeholder={`[masked ${name === '' ? 'order' : name}]`}
              onChange={(value) => set(at, { replacement: value })}
              error={errors.get(`masking.patterns.${at}.replacement`)}
              {...{ isDisabled }}
            />
            <Button
              look="quiet"
              className="mt-6"
              aria-label={`Leave out the pattern ${name}`}
              isDisabled={isDisabled}
              onPress={() => setDrafts(drafts.filter((_, index) => index !== at))}
            >
              Leave out
            </Button>
          </div>
        ))}
        <div>
          <Button
            isDisabled={isDisabled}
            onPress={() => setDrafts([...drafts, { name: '', pattern: '', replacement: '' }])}
          >
            Add a pattern
          </Button>
        </div>
      </div>
    </fieldset>
  );
}
