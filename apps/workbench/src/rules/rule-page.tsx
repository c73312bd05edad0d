import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { sentence } from '../text/format.ts';
import { besideInList } from '../ui/list-place.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { Backfills } from './backfills.tsx';
import { ruleQuery } from './queries.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleSwitch } from './rule-switch.tsx';

const route = getRouteApi('/p/$projectId/rules/$ruleId');

/** One Rule: its signals, thresholds and adjudication, and its run over earlier conversations. */
export function RulePage(): ReactNode {
  const { projectId, ruleId } = route.useParams();
  const rule = useQuery(ruleQuery(projectId, ruleId));
  return (
    <Loaded query={rule} title="Rule" label="The Rule is being read" lines={10}>
      {(data) => <RuleView key={ruleId} projectId={projectId} rule={data} />}
    </Loaded>
  );
}

function RuleView({ projectId, rule }: { readonly projectId: string; readonly rule: Api.Rule }): ReactNode {
  const { ruleId, ruleKey, name, description, categoryKey, revision } = rule;
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const open = (next: string | undefined) => () => {
    if (next !== undefined) void navigate({ to: '/p/$projectId/rules/$ruleId', params: { projectId, ruleId: next } });
  };
  useCommands({
    'item.next': () => open(besideInList(ruleId, 1))(),
    'item.previous': () => open(besideInList(ruleId, -1))(),
    'page.up': () => void navigate({ to: '/p/$projectId/rules', params: { projectId } }),
  });
  return (
    <>
      <PageHead
        title={name}
        trail={<UpLink to="/p/$projectId/rules" params={{ projectId }} label="To the list of Rules" />}
      >
        {mayWrite ? <RuleSwitch projectId={projectId} rule={rule} /> : null}
      </PageHead>
      <div className="min-h-0 flex-1 overflow-auto px-4 pb-10">
        <div className="flex max-w-5xl flex-col gap-4">
          <p className="max-w-3xl text-base text-muted">
            {description}{' '}
            <span className="text-xs">
              {sentence(categoryKey)} · <code className="font-mono">{ruleKey}</code> · revision {revision} ·{' '}
              <Link
                to="/p/$projectId/findings"
                params={{ projectId }}
                search={{ view: 'all', ruleId }}
                className="underline"
              >
                its Findings
              </Link>
            </span>
          </p>
          <RuleForm key={revision} {...{ projectId, rule, mayWrite }} />
          <Backfills {...{ projectId, rule, mayWrite }} />
        </div>
      </div>
    </>
  );
}
