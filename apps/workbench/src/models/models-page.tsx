import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { buttonClass } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Catalog } from './catalog.tsx';
import { ModelSettings } from './model-settings.tsx';
import { parseModelsSearch, type ModelsSearch } from './models-search.ts';
import { NodeFacts } from './node-facts.tsx';
import { Providers } from './providers.tsx';

const route = getRouteApi('/p/$projectId/models');
const TABS = [
  { id: 'catalog', label: 'Catalog' },
  { id: 'providers', label: 'Providers' },
  { id: 'settings', label: 'What is used' },
] as const;

/** Screen 12: models that run here, and those of providers. */
export function ModelsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseModelsSearch(route.useSearch());
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  const onSearch = (next: ModelsSearch) =>
    void navigate({ to: '/p/$projectId/models', params: { projectId }, search: next });
  const { tab = 'catalog', ...filters } = search;
  const mayManage = me !== undefined && may(me, projectId, 'project:models:manage');
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Models">
        <Link to="/p/$projectId/models/chat" params={{ projectId }} className={buttonClass()}>
          Chat
        </Link>
      </PageHead>
      <Tabs
        label="Parts"
        tabs={TABS}
        chosen={tab}
        onChoose={(id) => onSearch(id === 'catalog' ? filters : { ...filters, tab: id })}
      />
      {tab === 'catalog' ? (
        <>
          <NodeFacts projectId={projectId} />
          <Catalog {...{ projectId, search, onSearch, mayManage }} />
        </>
      ) : null}
      {tab === 'providers' ? <Providers {...{ projectId, mayManage }} /> : null}
      {tab === 'settings' ? <ModelSettings {...{ projectId, mayManage }} /> : null}
    </div>
  );
}
