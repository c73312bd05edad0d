import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { BASE, clew } from '../api/client.ts';
import { SPLITS } from '../examples/payload-text.ts';
import { datasetsKey, exampleCountQuery } from '../examples/queries.ts';
import { counted, sentence } from '../text/format.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ChoiceCards } from '../ui/choice-cards.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { CheckField, SelectField, TextField } from '../ui/fields.tsx';
import type { TabProps } from './tab-props.ts';
import {
  clewCommand,
  curlCommand,
  EXPORT_FORMAT_IDS,
  EXPORT_FORMATS,
  EXPORT_PLAN,
  exportPath,
  exportQuery,
  planProblems,
  RecordCounter,
  WHOLE,
  type ExportPlan,
  type ExportQuery,
} from './export-plan.ts';

/** Export: what, how many, and three ways to get it. */
export default function ExportTab({ projectId, dataset }: TabProps): ReactNode {
  const [plan, setPlan] = useState(EXPORT_PLAN);
  const problems = planProblems(plan, dataset.version);
  const query = exportQuery(plan);
  const stale = useQuery(exampleCountQuery(projectId, dataset.id, { tag: 'stale' })).data?.total.count ?? 0;
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-5 px-4 py-4">
      <ChoiceCards
        label="Format"
        columns={2}
        choices={EXPORT_FORMAT_IDS.map((id) => ({ id, ...EXPORT_FORMATS[id] }))}
        chosen={plan.format}
        onChoose={(format) => setPlan({ ...plan, format })}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField
          label="Version"
          type="number"
          min={0}
          max={dataset.version}
          value={plan.version}
          placeholder={`${dataset.version}, as it is now`}
          error={problems.get('version')}
          onChange={(version) => setPlan({ ...plan, version: version.trim() })}
        />
        <SelectField
          label="Split"
          value={plan.split}
          options={[
            { id: WHOLE, label: 'All Examples' },
            ...SPLITS.map((split) => ({ id: split, label: sentence(split) })),
          ]}
          onChange={(split) => setPlan({ ...plan, split: split as ExportPlan['split'] })}
        />
        {plan.split === WHOLE ? null : (
          <TextField
            label="Share of the others"
            value={plan.ratio}
            placeholder="80,10,10"
            error={problems.get('ratio')}
            hint="Percentages of train, validation and test for Examples without a tag; empty: tagged ones only"
            onChange={(ratio) => setPlan({ ...plan, ratio })}
          />
        )}
      </div>
      {stale === 0 && plan.version === '' ? null : (
        <CheckField
          label={stale === 0 ? 'With stale Examples' : `With stale Examples, of which there are ${stale} now`}
          hint="Collection marks those whose reason no longer holds."
          isChecked={plan.includeStale}
          onChange={(includeStale) => setPlan({ ...plan, includeStale })}
        />
      )}
      {problems.size > 0 ? null : <Ways {...{ projectId, query, dataset }} />}
    </div>
  );
}

interface WaysProps extends Pick<TabProps, 'projectId' | 'dataset'> {
  readonly query: ExportQuery;
}

/** Examples up to which an export is counted without being asked to. */
const MAX_COUNTED = 10_000;

function Ways({ projectId, dataset, query }: WaysProps): ReactNode {
  const { id: datasetId, version, exampleCount } = dataset;
  const [isAsked, setAsked] = useState(exampleCount <= MAX_COUNTED);
  const counting = useQuery({
    queryKey: [...datasetsKey(projectId), 'exported', datasetId, query.version ?? version, query],
    queryFn: ({ signal }) => countRecords(projectId, datasetId, query, signal),
    staleTime: Infinity,
    enabled: isAsked,
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <a href={new URL(exportPath(projectId, datasetId, query), BASE).href} download className={buttonClass('main')}>
          <Download aria-hidden className="size-3.5" /> Download
        </a>
        {isAsked ? null : <Button onPress={() => setAsked(true)}>Count them exactly</Button>}
        <p aria-live="polite" className="text-muted tabular-nums">
          {counting.data === undefined ? null : `The file holds ${counted(counting.data, 'Example')}.`}
          {counting.isFetching ? 'Being counted…' : null}
        </p>
      </div>
      <ErrorNote error={counting.error} />
      <section aria-label="From a terminal" className="flex flex-col gap-2">
        <h2 className="font-medium">From a terminal</h2>
        <Snippet label="Command of clew" text={clewCommand(datasetId, query)} />
        <Snippet label="Request with curl" text={curlCommand(BASE, projectId, datasetId, query)} />
      </section>
    </>
  );
}

/** Counts what the export holds, exactly, by reading it without keeping it. */
async function countRecords(
  projectId: string,
  datasetId: string,
  query: ExportQuery,
  signal: AbortSignal,
): Promise<number> {
  const counter = new RecordCounter(query.format);
  const decoder = new TextDecoder();
  const stream = await clew.datasets.export(datasetId, { ...query, project: projectId, signal }).bytes();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return counter.count;
    counter.add(decoder.decode(value, { stream: true }));
  }
}
