import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { useEdit } from '../../api/use-edit.ts';
import { count, percent } from '../../text/format.ts';
import { Badge } from '../../ui/badges.tsx';
import { Button } from '../../ui/button.tsx';
import { EditDialog } from '../../ui/edit-dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Loaded } from '../../ui/states.tsx';
import { quotasQuery, usageQuery } from '../queries.ts';
import {
  bytesText,
  exactBytesText,
  limitOf,
  QUOTA_NAMES,
  QUOTAS,
  thisMonth,
  usedOf,
  type QuotaName,
} from './figures.ts';

interface QuotasPanelProps {
  readonly projectId: string;
  readonly nowMs: number;
}

/** Limits of the project beside what is used of them; an owner sets them. */
export function QuotasPanel({ projectId, nowMs }: QuotasPanelProps): ReactNode {
  const quotas = useQuery(quotasQuery(projectId));
  const month = useQuery(usageQuery(projectId, thisMonth(nowMs), 'day'));
  const { data: me } = useQuery(meQuery);
  const [isSetting, setSetting] = useState(false);
  const used = usedOf(month.data?.usage ?? [], nowMs);
  return (
    <Panel
      title="Quotas"
      hint="What goes beyond a quota is refused, and says when it opens again. Owners of the workspace set them."
      aside={me?.owner === true ? <Button onPress={() => setSetting(true)}>Set quotas…</Button> : undefined}
    >
      <Loaded query={quotas} label="Quotas are being read" lines={3}>
        {(data) => (
          <ul className="grid gap-x-8 gap-y-3 md:grid-cols-2">
            {QUOTA_NAMES.map((name) => (
              <li key={name}>
                <Quota name={name} limit={data.quotas[name]} used={used[name]} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isSetting ? <QuotasDialog projectId={projectId} onClose={() => setSetting(false)} /> : null}
    </Panel>
  );
}

function textOf(name: QuotaName, value: number): string {
  return QUOTAS[name].unit === 'bytes' ? bytesText(value) : count(value);
}

interface QuotaProps {
  readonly name: QuotaName;
  readonly limit: number | null;
  readonly used: number;
}

function Quota({ name, limit, used }: QuotaProps): ReactNode {
  const { label } = QUOTAS[name];
  const share = limit === null ? undefined : limit === 0 ? 1 : used / limit;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-baseline gap-2">
        <span className="font-medium">{label}</span>
        <span className="ml-auto text-muted tabular-nums">
          {textOf(name, used)} {limit === null ? 'used, no limit' : `of ${textOf(name, limit)}`}
        </span>
        {share !== undefined && share >= 1 ? <Badge tone="critical">Used up</Badge> : null}
        {share !== undefined && share >= 0.8 && share < 1 ? <Badge tone="medium">{percent(share)}</Badge> : null}
      </p>
      {share === undefined ? null : <Progress label={label} share={share} />}
    </div>
  );
}

function QuotasDialog({ projectId, onClose }: { readonly projectId: string; readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState<Partial<Record<QuotaName, string>>>({});
  const edit = useEdit({
    key: ['quotas', projectId],
    read: () => clew.quotas.get({ project: projectId }),
    change: (body: Api.Quotas, options) => clew.quotas.set(body, { project: projectId, ...options }),
    invalidates: [quotasQuery(projectId).queryKey],
    onDone: onClose,
  });
  const limits = QUOTA_NAMES.map((name) => {
    const text = typed[name];
    const stored = edit.thing?.quotas[name] ?? null;
    return [name, text === undefined ? stored : limitOf(text, QUOTAS[name].unit)] as const;
  });
  const isWrong = limits.some(([, limit]) => limit === undefined);
  return (
    <EditDialog
      {...{ edit, onClose }}
      title="Quotas of the project"
      isIncomplete={isWrong || Object.keys(typed).length === 0}
      onSubmit={() => edit.save(Object.fromEntries(limits) as unknown as Api.Quotas)}
    >
      {({ quotas }) =>
        limits.map(([name, limit]) => (
          <TextField
            key={name}
            label={QUOTAS[name].label}
            value={typed[name] ?? storedText(name, quotas[name])}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
            placeholder="No limit"
            hint={QUOTAS[name].unit === 'bytes' ? 'As 500 MB or 20 GB.' : undefined}
            error={limit === undefined ? 'This cannot be read.' : undefined}
          />
        ))
      }
    </EditDialog>
  );
}

function storedText(name: QuotaName, limit: number | null): string {
  if (limit === null) return '';
  return QUOTAS[name].unit === 'bytes' ? exactBytesText(limit) : String(limit);
}
