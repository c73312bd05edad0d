import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { connectorsQuery } from '../../api/queries.ts';
import { useChange } from '../../ui/use-change.ts';
import { useEdit } from '../../api/use-edit.ts';
import { EditDialog } from '../../ui/edit-dialog.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { SelectField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { ConnectorFields, FIELDS } from './connector-fields.tsx';
import {
  connectorChange,
  draftOf,
  isIncomplete,
  NEW_DRAFT,
  newConnector,
  trackerNamed,
  TRACKER_IDS,
  TRACKERS,
  type ConnectorDraft,
} from './connector-form.ts';

interface NewProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Form that connects an issue tracker. */
export function NewConnectorDialog({ projectId, onClose }: NewProps): ReactNode {
  const [draft, setDraft] = useState(NEW_DRAFT);
  const create = useChange(() => clew.connectors.create(newConnector(draft), { project: projectId }), {
    invalidates: [connectorsQuery(projectId).queryKey],
    onDone: () => {
      onClose();
      notify('It is connected. Test it before you rely on it.');
    },
    onError: () => undefined,
  });
  return (
    <FormDialog
      {...{ onClose }}
      title="Connect an issue tracker"
      submitLabel="Connect"
      isWide
      fields={FIELDS}
      isPending={create.isPending}
      isIncomplete={isIncomplete(draft)}
      error={create.error}
      onSubmit={() => create.mutate(undefined)}
    >
      <SelectField
        label="Tracker"
        autoFocus
        value={draft.provider}
        onChange={(provider) => setDraft({ ...draft, provider: trackerNamed(provider), destination: {} })}
        options={TRACKER_IDS.map((id) => ({ id, label: TRACKERS[id].label }))}
      />
      <ConnectorFields isNew draft={draft} onDraft={setDraft} errors={fieldErrors(create.error)} />
    </FormDialog>
  );
}

interface EditProps extends NewProps {
  readonly connector: Api.Connector;
}

/** Form that changes a connector. */
export function EditConnectorDialog({ projectId, connector, onClose }: EditProps): ReactNode {
  const [typed, setTyped] = useState<ConnectorDraft>();
  const edit = useEdit({
    key: ['connector', projectId, connector.id],
    read: () => clew.connectors.get(connector.id, { project: projectId }),
    change: (body: Api.UpdateConnectorData['body'], options) =>
      clew.connectors.update(connector.id, body, { project: projectId, ...options }),
    invalidates: [connectorsQuery(projectId).queryKey],
    onDone: onClose,
  });
  const { thing } = edit;
  return (
    <EditDialog
      {...{ edit, onClose }}
      title={`Change ${connector.name ?? TRACKERS[connector.provider].label}`}
      isWide
      fields={FIELDS}
      isIncomplete={typed === undefined}
      onSubmit={() => {
        if (thing !== undefined && typed !== undefined) edit.save(connectorChange(thing, typed));
      }}
    >
      {(current) => (
        <ConnectorFields draft={typed ?? draftOf(current)} onDraft={setTyped} errors={fieldErrors(edit.error)} />
      )}
    </EditDialog>
  );
}
