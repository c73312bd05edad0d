import {
  getModelAvailabilitiesInternally,
  getModelAvailability,
  getModelSettings,
  updateModelSettings,
  type ModelSettings,
} from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import type { AvailabilityService } from './availability.service.ts';

export function availabilityRoutes(availability: AvailabilityService): Route[] {
  return [
    route(getModelAvailability, async ({ params, query }) =>
      answer(200, await availability.availabilityOf(params.projectId, query.model, query.purpose)),
    ),
    route(getModelAvailabilitiesInternally, async ({ params, body: { models, ...options } }) =>
      answer(200, { availabilities: await availability.availabilitiesOf(params.projectId, models, options) }),
    ),
    route(getModelSettings, async ({ params }) =>
      answer(200, { settings: await availability.getSettings(params.projectId) }),
    ),
    route(updateModelSettings, async ({ params, body }, context) => {
      const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      return answer(200, {
        settings: await availability.changeSettings(
          params.projectId,
          change as Partial<ModelSettings>,
          doerOf(context),
        ),
      });
    }),
  ];
}
