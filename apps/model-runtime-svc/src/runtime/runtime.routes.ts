import {
  getModelActivity,
  getRuntime,
  installEngine,
  removeDownload,
  removeEngine,
  removeEngineInstallation,
  removeProfile,
  startDownload,
  startModelService,
  stopModelService,
  STREAMED,
} from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import type { DownloadsService } from './downloads.service.ts';
import type { ProfilesService } from './profiles.service.ts';
import type { EnginesService } from './engines.service.ts';
import type { ServicesService } from './services.service.ts';
import { streamActivity } from './activity-stream.ts';
import type { RequestOf } from './request.ts';
import type { SnapshotService } from './snapshot.service.ts';

export interface RuntimeServices {
  engines: EnginesService;
  downloads: DownloadsService;
  profiles: ProfilesService;
  services: ServicesService;
  snapshots: SnapshotService;
  /** Aborted when the process stops. */
  ending: AbortSignal;
}

export function runtimeRoutes(runtime: RuntimeServices): Route[] {
  const { engines, downloads, profiles, services, snapshots, ending } = runtime;
  return [
    route(getRuntime, async ({ params }) => answer(200, await snapshots.snapshot(params.projectId))),
    route(getModelActivity, async ({ params }, { request, response, signal }) => {
      const read = () => snapshots.activity(params.projectId);
      if (request.accepts(['json', 'text/event-stream']) !== 'text/event-stream') {
        return answer(200, { activity: await read() });
      }
      await streamActivity({ read, response, signal, ending });
      return STREAMED;
    }),
    route(installEngine, async ({ params }, context) => {
      const installation = await engines.install(requestOf(params, context), params.engine);
      return answer(installation.state === 'ready' ? 200 : 202, installation);
    }),
    route(removeEngineInstallation, async ({ params }, context) => {
      const { engine, generation } = params;
      return removed(await engines.removeGeneration(requestOf(params, context), engine, generation));
    }),
    route(removeEngine, async ({ params }, context) =>
      removed(await engines.remove(requestOf(params, context), params.engine)),
    ),
    route(startDownload, async ({ params }, context) => {
      const download = await downloads.start(requestOf(params, context), params);
      return answer(download.state === 'completed' ? 200 : 202, download);
    }),
    route(removeDownload, async ({ params }, context) =>
      removed(await downloads.remove(requestOf(params, context), params, params.generation)),
    ),
    route(startModelService, async ({ params, body }, context) => {
      const service = await services.start(requestOf(params, context), params, body);
      return answer(service.state === 'ready' ? 200 : 202, service);
    }),
    route(stopModelService, async ({ params }, context) =>
      removed(await services.stop(requestOf(params, context), params)),
    ),
    route(removeProfile, async ({ params }, context) =>
      removed(await profiles.remove(requestOf(params, context), params)),
    ),
  ];
}

function requestOf({ projectId }: { projectId: string }, { requestId }: RequestContext): RequestOf {
  return { projectId, requestId };
}

/** Answer of a removal: 202 with the resource still being removed, 204 when nothing is left. */
function removed<Left>(left: Left | undefined) {
  return left === undefined ? answer(204, null) : answer(202, left);
}
