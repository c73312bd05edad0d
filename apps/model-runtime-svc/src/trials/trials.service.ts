import type { Dispatcher } from 'undici';
import { TrialForm, TrialRequest } from '@clew/contracts';
import { parsePart, readJsonBody, type RequestContext } from '@clew/http';
import { AppError } from '@clew/kernel';
import type { ProfileRef } from '../downloads/downloads.service.ts';
import { receiveForm } from '../inference/recording-form.ts';
import type { Profile } from '../models/profile.ts';
import type { Endpoint, RunningServices } from '../services/running-services.ts';
import { forward, type Forwarded } from './forward.ts';
import { formOf, requireModel, requirePath } from './trial.ts';

export interface TrialsDependencies {
  running: Pick<RunningServices, 'endpointOfProfile'>;
  /** Throws MODEL_NOT_FOUND or PROFILE_NOT_FOUND. */
  profileOf(projectId: string, ref: ProfileRef): Promise<Profile>;
  dispatcher: Dispatcher;
  spoolDirectory: string;
  maxJsonBytes: number;
  maxFileBytes: number;
}

export interface TrialsService {
  /** Answers by itself, with what the engine answers. Throws an AppError while nothing was sent. */
  serve(projectId: string, ref: ProfileRef, context: RequestContext): Promise<void>;
}

const VERSION_PREFIX = '/v1';

export function createTrialsService(deps: TrialsDependencies): TrialsService {
  async function endpointOf(projectId: string, { modelId, profileId }: ProfileRef): Promise<Endpoint> {
    const endpoint = await deps.running.endpointOfProfile(projectId, modelId, profileId);
    if (endpoint === undefined) {
      throw new AppError('SERVICE_NOT_RUNNING', 'The service of the profile is not running: start it first');
    }
    return endpoint;
  }

  async function send(
    path: string,
    body: Forwarded['body'],
    endpoint: Endpoint,
    { response, signal }: RequestContext,
  ): Promise<void> {
    const native = path.slice(VERSION_PREFIX.length);
    await forward({ endpoint, path: native, body, dispatcher: deps.dispatcher, response, signal });
  }

  async function serveJson(projectId: string, profile: Profile, context: RequestContext): Promise<void> {
    const trial = parsePart('body', TrialRequest, await readJsonBody(context.request, deps.maxJsonBytes));
    const { path, contentType, body } = trial;
    requirePath(path, contentType, profile.engine);
    requireModel(body['model'], profile.modelId, 'body.model');
    const native =
      contentType === 'application/json'
        ? JSON.stringify({ ...body, model: profile.modelId })
        : formOf(body, profile.modelId);
    await send(path, native, await endpointOf(projectId, refOf(profile)), context);
  }

  async function serveForm(projectId: string, profile: Profile, context: RequestContext): Promise<void> {
    const { spoolDirectory: directory, maxFileBytes } = deps;
    // Asked first, so that nobody uploads an hour of sound in vain.
    const endpoint = await endpointOf(projectId, refOf(profile));
    const form = await receiveForm({ request: context.request, directory, maxFileBytes });
    try {
      const { path, contentType, model } = parsePart('body', TrialForm, Object.fromEntries(form.fields));
      requirePath(path, contentType, profile.engine);
      requireModel(model, profile.modelId, 'model');
      const native = await form.toFormData({ model: profile.modelId });
      native.delete('path');
      native.delete('contentType');
      await send(path, native, endpoint, context);
    } finally {
      await form.remove();
    }
  }

  return {
    async serve(projectId, ref, context) {
      const profile = await deps.profileOf(projectId, ref);
      const mediaType = context.request.headers['content-type']?.toLowerCase() ?? '';
      if (mediaType.startsWith('multipart/form-data')) await serveForm(projectId, profile, context);
      else await serveJson(projectId, profile, context);
    },
  };
}

function refOf({ modelId, id }: Profile): ProfileRef {
  return { modelId, profileId: id };
}
