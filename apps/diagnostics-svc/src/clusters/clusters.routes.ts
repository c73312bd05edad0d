import { mergeFinding, splitFinding, unmergeFinding, type Finding } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { findingEtag } from '../findings/finding-view.ts';
import { conditionsOf } from '../findings/findings.routes.ts';
import type { StoredFinding } from '../findings/finding.ts';
import type { ClustersService } from './clusters.service.ts';

export function clusterRoutes(clusters: ClustersService, viewOf: (finding: StoredFinding) => Finding): Route[] {
  const shown = (finding: StoredFinding) => [viewOf(finding), { etag: findingEtag(finding) }] as const;
  const created = (finding: StoredFinding) => {
    const [body, headers] = shown(finding);
    const location = `/v1/projects/${finding.projectId}/diagnostics/findings/${finding.id}`;
    return answer(201, body, { ...headers, location });
  };
  return [
    route(mergeFinding, async ({ params, body }, context) =>
      answer(200, ...shown(await clusters.merge(params, body.into, conditionsOf(context)))),
    ),
    route(unmergeFinding, async ({ params }, context) =>
      answer(200, ...shown(await clusters.unmerge(params, conditionsOf(context)))),
    ),
    route(splitFinding, async ({ params, body }, context) =>
      created(
        await clusters.split(params, body, conditionsOf(context), async (tx, made) => {
          await context.attempt?.record(tx, created(made));
        }),
      ),
    ),
  ];
}
