import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { runtimeQuery } from '../runtime/queries.ts';
import { visibleText } from '../text/visible-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { parseChatSearch, type ChatSearch } from './chat-search.ts';
import type { ChatFields } from './chat.ts';
import { Composer } from './composer.tsx';
import { Thread } from './thread.tsx';
import { useChat } from './use-chat.ts';

const route = getRouteApi('/p/$projectId/models/chat');

/** Screen 12: a conversation with one model that runs here, or with two at once. */
export function ChatPage(): ReactNode {
  const { projectId } = route.useParams();
  const runtime = useQuery(runtimeQuery(projectId));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        title="Chat"
        trail={<UpLink to="/p/$projectId/models" params={{ projectId }} label="To the models" />}
      />
      <Loaded query={runtime} label="The models that run are being read">
        {({ services }) => <ChatView projectId={projectId} services={services} />}
      </Loaded>
    </div>
  );
}

interface ViewProps {
  readonly projectId: string;
  readonly services: readonly Api.ModelService[];
}

const FIRST_FIELDS: ChatFields = { system: '', temperature: '', maxTokens: '' };

function ChatView({ projectId, services }: ViewProps): ReactNode {
  const search = parseChatSearch(route.useSearch());
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const chat = useChat(projectId);
  const [fields, setFields] = useState(FIRST_FIELDS);
  const ready = services.filter(({ state }) => state === 'ready');
  const first = search.model ?? ready[0]?.model;
  const chosen = [first, search.compare].flatMap((name) => services.find(({ model }) => model === name) ?? []);
  const onSearch = (next: ChatSearch) =>
    void navigate({ to: '/p/$projectId/models/chat', params: { projectId }, search: parseChatSearch({ ...next }) });
  const isReady = chosen.length > 0 && chosen.every(({ state }) => state === 'ready');
  const mayChat =
    me !== undefined && (may(me, projectId, 'gateway:invoke') || may(me, projectId, 'project:data:write'));
  if (services.length === 0 || !mayChat) return <NoModel {...{ projectId, mayChat }} />;
  return (
    <div className="flex min-h-0 flex-1 border-t border-line max-lg:flex-col">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Thread {...{ projectId, chat, fields }} models={chosen.map(({ model }) => model)} />
        <Composer
          isBusy={chat.isBusy}
          isDisabled={!isReady}
          onStop={chat.stop}
          onSend={(said) => chat.send(said, fields, chosen)}
        />
      </div>
      <ChatSettings
        {...{ projectId, services, chosen, search, fields, chat }}
        first={first}
        onFields={setFields}
        onSearch={onSearch}
      />
    </div>
  );
}

interface SettingsProps extends ViewProps {
  readonly chosen: readonly Api.ModelService[];
  readonly search: ChatSearch;
  readonly first: string | undefined;
  readonly fields: ChatFields;
  readonly chat: ReturnType<typeof useChat>;
  readonly onFields: (fields: ChatFields) => void;
  readonly onSearch: (search: ChatSearch) => void;
}

function ChatSettings(props: SettingsProps): ReactNode {
  const { projectId, services, chosen, search, first, fields, chat, onFields, onSearch } = props;
  return (
    <aside
      aria-label="Settings of the chat"
      className="flex w-72 shrink-0 flex-col gap-3 overflow-auto border-line p-4 max-lg:w-full max-lg:border-t lg:border-l"
    >
      <ModelChoice
        label="Model"
        value={first ?? ''}
        {...{ services }}
        onChange={(model) => onSearch({ ...search, model })}
      />
      <ModelChoice
        label="Compare with"
        value={search.compare ?? ''}
        none="No other model"
        services={services.filter(({ model }) => model !== first)}
        onChange={(compare) => onSearch({ model: first, compare })}
      />
      {chosen
        .filter(({ state }) => state !== 'ready')
        .map(({ model, modelId, state }) => (
          <p key={model} role="status" className="text-medium">
            {visibleText(model)} does not run ({state}).{' '}
            <Link to="/p/$projectId/models/$modelId" params={{ projectId, modelId }} className="underline">
              Start it
            </Link>
          </p>
        ))}
      <TextArea
        label="System prompt"
        rows={5}
        value={fields.system}
        onChange={(system) => onFields({ ...fields, system })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Temperature"
          type="number"
          min={0}
          max={2}
          step="any"
          value={fields.temperature}
          placeholder="of the model"
          onChange={(temperature) => onFields({ ...fields, temperature })}
        />
        <TextField
          label="Most tokens"
          type="number"
          min={1}
          value={fields.maxTokens}
          placeholder="no limit"
          onChange={(maxTokens) => onFields({ ...fields, maxTokens })}
        />
      </div>
      <Button className="justify-center" isDisabled={chat.turns.length === 0} onPress={chat.clear}>
        Begin anew
      </Button>
      <p className="text-xs text-muted">
        What is said here is gone when you leave, but for what you keep as an Example. Models of providers answer to
        programs with a key, not here.
      </p>
    </aside>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly services: readonly Api.ModelService[];
  readonly none?: string;
  readonly onChange: (model: string) => void;
}

function ModelChoice({ label, value, services, none, onChange }: ChoiceProps): ReactNode {
  const options = services.map(({ model, state }) => ({
    id: model,
    label: visibleText(state === 'ready' ? model : `${model} (${state})`),
  }));
  const isKnown = value === '' || options.some(({ id }) => id === value);
  return (
    <SelectField
      {...{ label, value, onChange }}
      options={[
        ...(none === undefined ? [] : [{ id: '', label: none }]),
        ...options,
        ...(isKnown ? [] : [{ id: value, label: `${visibleText(value)} (not here)` }]),
      ]}
    />
  );
}

function NoModel({ projectId, mayChat }: { readonly projectId: string; readonly mayChat: boolean }): ReactNode {
  return mayChat ? (
    <FirstUse
      title="No model runs here yet"
      action={
        <Link to="/p/$projectId/models" params={{ projectId }} className={buttonClass('main')}>
          To the catalog
        </Link>
      }
    >
      Download one and start it; then you can talk with it, compare it with another one, and keep good answers as
      Examples.
    </FirstUse>
  ) : (
    <FirstUse title="You may not call models">
      This needs the right gateway:invoke, which begins with the role editor.
    </FirstUse>
  );
}
