import {
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  testConnector,
  updateConnector,
} from '@clew/contracts';
import { answer, doerOf, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { AppError } from '@clew/kernel';
import { connectorEtag, connectorView } from './connector.ts';
import type { StoredConnector } from './stored-connector.ts';
import type { ChangeConditions, ConnectorsService } from './connectors.service.ts';
import type { TestConnector } from './test-connector.ts';

export interface ConnectorServices {
  connectors: ConnectorsService;
  test: TestConnector;
}

/** Routes for connectors; `services` is undefined if the work item service is not mounted. */
export function connectorRoutes(services: ConnectorServices | undefined): Route[] {
  const mounted = (): ConnectorServices => {
    if (services === undefined) throw workItemsUnavailable();
    return services;
  };
  return [
    route(listConnectors, async ({ params, query }) =>
      answer(200, await mounted().connectors.list(params.projectId, query)),
    ),
    route(createConnector, async ({ params, body }, context) =>
      createdReply(
        await mounted().connectors.create(params.projectId, body, doerOf(context), async (tx, created) => {
          await context.attempt?.record(tx, createdReply(created));
        }),
      ),
    ),
    route(getConnector, async ({ params }) => foundReply(await mounted().connectors.get(params))),
    route(updateConnector, async ({ params, body }, context) =>
      foundReply(await mounted().connectors.update(params, body, conditionsOf(context))),
    ),
    route(deleteConnector, async ({ params }, context) => {
      await mounted().connectors.remove(params, conditionsOf(context));
      return answer(204, null);
    }),
    route(testConnector, async ({ params }, { signal }) => {
      const { connectors, test } = mounted();
      return answer(200, await test(await connectors.get(params), signal));
    }),
  ];
}

export function workItemsUnavailable(): AppError {
  return new AppError('FINDING_WORK_ITEMS_UNAVAILABLE', 'The work item service is not mounted in this deployment');
}

function createdReply(connector: StoredConnector) {
  const location = `/v1/projects/${connector.projectId}/diagnostics/connectors/${connector.id}`;
  return answer(201, connectorView(connector), { location, etag: connectorEtag(connector) });
}

function foundReply(connector: StoredConnector) {
  return answer(200, connectorView(connector), { etag: connectorEtag(connector) });
}

function conditionsOf(context: RequestContext): ChangeConditions {
  const precondition = preconditionOf(context.request);
  return { doer: doerOf(context), check: (current) => precondition.check(connectorEtag(current)) };
}
