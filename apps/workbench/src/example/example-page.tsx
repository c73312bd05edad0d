import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { conversationQuery, meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { exampleOfConversation } from '../examples/example-of-conversation.ts';
import { inputText } from '../examples/payload-text.ts';
import { exampleQuery } from '../examples/queries.ts';
import { Button, CommandButton, Keys } from '../ui/button.tsx';
import { TextArea } from '../ui/fields.tsx';
import { besideInList } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { AsideEditor } from './aside-editor.tsx';
import { draftOf, newDraft, type ExampleDraft } from './example-draft.ts';
import { parseExampleSearch, type ExampleSearch } from './example-search.ts';
import { LeaveDialog, Notes } from './form-notes.tsx';
import { InputEditor } from './input-editor.tsx';
import { OutputEditors } from './output-editor.tsx';
import { useExampleForm, type ExampleForm, type Read } from './use-example-form.ts';

const route = getRouteApi('/p/$projectId/datasets/$datasetId/examples/$exampleId');
const NEW = 'new';

/** Screen 11: one Example, as a form or as JSON. */
export function ExamplePage(): ReactNode {
  const { exampleId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseExampleSearch(route.useSearch());
  if (exampleId !== NEW) return <SavedExample key={`${exampleId} ${search.version ?? ''}`} search={search} />;
  if (search.conversation !== undefined) {
    const { conversation, step } = search;
    return <ExampleFromConversation key={`${conversation} ${step ?? ''}`} {...{ search, conversation, step }} />;
  }
  return <ExampleView key={NEW} search={search} read={undefined} begin={newDraft(search.type ?? 'chat')} />;
}

function SavedExample({ search }: { readonly search: ExampleSearch }): ReactNode {
  const { projectId, datasetId, exampleId } = route.useParams();
  const query = useQuery(exampleQuery(projectId, datasetId, exampleId, search.version));
  return (
    <Loaded query={query} title="Example" label="The Example is being read" lines={10}>
      {(read) => <ExampleView search={search} read={read} begin={undefined} />}
    </Loaded>
  );
}

interface FromConversationProps {
  readonly search: ExampleSearch;
  readonly conversation: string;
  readonly step: number | undefined;
}

function ExampleFromConversation({ search, conversation, step }: FromConversationProps): ReactNode {
  const { projectId } = route.useParams();
  const query = useQuery(conversationQuery(projectId, conversation));
  return (
    <Loaded query={query} title="Example" label="The conversation is being read" lines={10}>
      {(data) => {
        const content = exampleOfConversation(data, step);
        if (content === undefined) {
          return (
            <FirstUse title="No Example can be made of it">
              The conversation has no answer with something before it, or its words have expired.
            </FirstUse>
          );
        }
        const draft = draftOf(content);
        const begin = { ...draft, expected: { ...draft.expected, type: 'chat_message' as const } };
        return <ExampleView search={search} read={undefined} begin={begin} />;
      }}
    </Loaded>
  );
}

interface ViewProps {
  readonly search: ExampleSearch;
  readonly read: Read | undefined;
  readonly begin: ExampleDraft | undefined;
}

function ExampleView({ search, read, begin }: ViewProps): ReactNode {
  const { projectId, datasetId } = route.useParams();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:data:write');
  const isReadOnly = !mayWrite || search.version !== undefined;
  const toList = () => void navigate({ to: '/p/$projectId/datasets/$datasetId', params: { projectId, datasetId } });
  const toExample = (exampleId: string) =>
    void navigate({
      to: '/p/$projectId/datasets/$datasetId/examples/$exampleId',
      params: { projectId, datasetId, exampleId },
      search: search.view === undefined ? {} : { view: search.view },
      replace: true,
    });
  const form = useExampleForm({
    ...{ projectId, datasetId, read, begin, isJson: search.view === 'json' },
    onSaved: (example, goesOn) => {
      const next = goesOn ? besideInList(example.id, 1) : undefined;
      notify(goesOn && next === undefined ? 'Saved; this is the last one of the list' : 'Saved');
      if (next !== undefined) toExample(next);
      else if (read === undefined) toExample(example.id);
    },
  });
  useExampleCommands(read?.example.id, { toList, toExample });
  const words = form.base === undefined ? '' : inputText(form.base.example.payload.input);
  const title = words === '' ? (read === undefined ? 'New Example' : 'Example') : words.slice(0, 120);
  return (
    <>
      <PageHead
        title={title}
        trail={
          <UpLink to="/p/$projectId/datasets/$datasetId" params={{ projectId, datasetId }} label="To the Dataset" />
        }
      >
        <ViewSwitch form={form} search={search} />
        {isReadOnly ? null : <SaveButtons form={form} isNew={form.base === undefined} />}
      </PageHead>
      {search.version === undefined ? null : <AtVersion version={search.version} />}
      <div className="flex min-h-0 flex-1 overflow-auto border-t border-line max-lg:flex-col lg:overflow-hidden">
        <div className="relative flex min-w-0 flex-1 flex-col gap-5 px-4 py-4 lg:overflow-auto">
          <Notes form={form} />
          {form.json === undefined ? (
            <>
              <InputEditor
                input={form.draft.input}
                problems={form.problems}
                isReadOnly={isReadOnly}
                onChange={(input) => form.change({ input })}
              />
              <OutputEditors {...{ isReadOnly }} draft={form.draft} problems={form.problems} onChange={form.change} />
            </>
          ) : (
            <TextArea
              label="Example as JSON"
              isMono
              rows={30}
              value={form.json}
              isDisabled={isReadOnly}
              error={form.problems.get('json')}
              onChange={form.setJson}
            />
          )}
        </div>
        {form.json === undefined ? (
          <AsideEditor
            {...{ projectId, isReadOnly }}
            draft={form.draft}
            example={form.base?.example}
            problems={form.problems}
            onChange={form.change}
          />
        ) : null}
      </div>
      <LeaveDialog form={form} />
    </>
  );
}

interface Ways {
  readonly toList: () => void;
  readonly toExample: (exampleId: string) => void;
}

function useExampleCommands(exampleId: string | undefined, { toList, toExample }: Ways): void {
  const beside = (by: 1 | -1) => () => {
    const next = exampleId === undefined ? undefined : besideInList(exampleId, by);
    if (next === undefined) notify(by === 1 ? 'This is the last one of the list' : 'This is the first one of the list');
    else toExample(next);
  };
  useCommands({ 'page.up': toList, 'item.next': beside(1), 'item.previous': beside(-1) });
}

interface SwitchProps {
  readonly form: ExampleForm;
  readonly search: ExampleSearch;
}

function ViewSwitch({ form, search }: SwitchProps): ReactNode {
  const params = route.useParams();
  const navigate = useNavigate();
  const isJson = form.json !== undefined;
  return (
    <Button
      look="quiet"
      aria-pressed={isJson}
      onPress={() => {
        if (!form.showJson(!isJson)) return notify('What is wrong has to be put right first', { isProblem: true });
        void navigate({
          to: '/p/$projectId/datasets/$datasetId/examples/$exampleId',
          params,
          search: { ...search, view: isJson ? undefined : 'json' },
          replace: true,
        });
      }}
    >
      {isJson ? 'Form' : 'JSON'}
    </Button>
  );
}

function SaveButtons({ form, isNew }: { readonly form: ExampleForm; readonly isNew: boolean }): ReactNode {
  const { isDirty, isFine, isPending } = form;
  const isDisabled = isPending || !isFine || (!isDirty && !isNew);
  return (
    <>
      <span role="status" className="text-xs text-muted">
        {isPending ? 'Being saved…' : isDirty ? 'Not saved' : ''}
      </span>
      {isNew ? null : (
        <CommandButton command="example.save-next" isDisabled={isPending || !isFine} onPress={() => form.save(true)}>
          Save and next
        </CommandButton>
      )}
      <CommandButton look="main" command="example.save" isDisabled={isDisabled} onPress={() => form.save(false)}>
        Save <Keys command="example.save" />
      </CommandButton>
    </>
  );
}

function AtVersion({ version }: { readonly version: number }): ReactNode {
  const { projectId, datasetId, exampleId } = route.useParams();
  return (
    <p role="status" className="bg-medium-soft px-4 py-1.5 text-xs text-medium">
      As it was at version {version}.{' '}
      <Link
        to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
        params={{ projectId, datasetId, exampleId }}
        className="underline"
      >
        Show it as it is now
      </Link>
    </p>
  );
}
