import { receiveProviderWebhook } from '@clew/contracts';
import { answer, readBody, route, type Route } from '@clew/http';
import { workItemsUnavailable } from '../connectors/index.ts';
import type { ReceiveDelivery } from './receive-delivery.ts';

/** Limit of a delivery. An issue whose delivery is larger is seen by the periodic synchronization. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Route for webhooks of the providers; `receive` is undefined if the work item service is not mounted. */
export function providerWebhookRoutes(receive: ReceiveDelivery | undefined): Route[] {
  return [
    route(receiveProviderWebhook, async ({ params, query }, { request }) => {
      if (receive === undefined) throw workItemsUnavailable();
      // The signature is over exactly these bytes.
      const body = await readBody(request, MAX_BODY_BYTES);
      const outcome = await receive({
        ...params,
        delivery: { body, headers: request.headers, urlSecret: query.secret },
      });
      return outcome === 'accepted' || outcome === 'ignored' ? answer(202, { outcome }) : answer(200, { outcome });
    }),
  ];
}
