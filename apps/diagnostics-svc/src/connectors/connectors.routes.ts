import {
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  testConnector,
  updateConnector,
} from '@clew/contracts';
import { answer, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import { AppError } from '@clew/kernel';
import { connectorEtag, connectorView } from './connector.ts';
import type { StoredConnector } from './stored-connector.ts';
import type { CheckConnector, ConnectorsService } from './connectors.service.ts';
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
    route(createConnector, async ({ params, body }, { attempt }) =>
      createdReply(
        await mounted().connectors.create(params.projectId, body, async (tx, created) => {
          await attempt?.record(tx, createdReply(created));
        }),
      ),
    ),
    route(getConnector, async ({ params }) => foundReply(await mounted().connectors.get(params))),
    route(updateConnector, async ({ params, body }, context) =>
      foundReply(await mounted().connectors.update(params, body, checkOf(context))),
    ),
    route(deleteConnector, async ({ params }, context) => {
      await mounted().connectors.remove(params, checkOf(context));
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

function checkOf({ request }: RequestContext): CheckConnector {
  const precondition = preconditionOf(request);
  return (current) => precondition.check(connectorEtag(current));
}
