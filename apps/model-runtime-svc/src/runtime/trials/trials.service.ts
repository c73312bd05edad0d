import type { Dispatcher } from 'undici';
import { TrialForm, TrialRequest, type TrialPath } from '@clew/contracts';
import { parsePart, readJsonBody, type RequestContext } from '@clew/http';
import { AppError, type Holding } from '@clew/kernel';
import type { ProfileRef } from '../downloads.service.ts';
import { type BodyBudgets, type Profile, receiveForm } from '../../shared/index.ts';
import type { Endpoint, RunningServices } from '../running-services.ts';
import { forward, type Forwarded } from './forward.ts';
import { formOf, requireModel, requirePath } from './trial.ts';

export interface TrialsDependencies {
  running: Pick<RunningServices, 'endpointOfProfile'>;
  /** Throws MODEL_NOT_FOUND or PROFILE_NOT_FOUND. */
  profileOf(projectId: string, ref: ProfileRef): Promise<Profile>;
  dispatcher: Dispatcher;
  bodyBudgets: BodyBudgets;
  spoolDirectory: string;
  maxJsonBytes: number;
  maxFileBytes: number;
}

export interface TrialsService {
  /** Serves a trial with the engine's answer. Throws an AppError if nothing was sent yet. */
  serve(projectId: string, ref: ProfileRef, context: RequestContext): Promise<void>;
}

/** Trial as it was sent, as JSON or as a form. */
interface SentTrial {
  path: TrialPath;
  contentType: string;
  model: unknown;
  /** Path of the model in the request, for error messages. */
  modelPath: string;
  /** Builds the body for the engine. Throws VALIDATION_FAILED if the parts are no valid form. */
  native(model: string): Promise<Forwarded['body']>;
  remove(): Promise<void>;
}

const VERSION_PREFIX = '/v1';

export function createTrialsService(deps: TrialsDependencies): TrialsService {
  const { memory, disk } = deps.bodyBudgets;

  async function endpointOf(projectId: string, { modelId, profileId }: ProfileRef): Promise<Endpoint> {
    const endpoint = await deps.running.endpointOfProfile(projectId, modelId, profileId);
    if (endpoint === undefined) {
      throw new AppError('SERVICE_NOT_RUNNING', 'The service of the profile is not running: start it first');
    }
    return endpoint;
  }

  async function readJson({ request }: RequestContext, room: Holding): Promise<SentTrial> {
    const maxBytes = Math.min(deps.maxJsonBytes, memory.mostUnitsOfOne);
    const trial = parsePart('body', TrialRequest, await readJsonBody(request, maxBytes, room.hold));
    const { path, contentType, body } = trial;
    return {
      ...{ path, contentType, model: body['model'], modelPath: 'body.model' },
      native: async (model) =>
        contentType === 'application/json' ? JSON.stringify({ ...body, model }) : formOf(body, model),
      remove: () => Promise.resolve(),
    };
  }

  async function readForm({ request }: RequestContext, room: Holding): Promise<SentTrial> {
    const maxFileBytes = Math.min(deps.maxFileBytes, disk.mostUnitsOfOne);
    const form = await receiveForm({ request, directory: deps.spoolDirectory, maxFileBytes, onBytes: room.hold });
    try {
      const { path, contentType, model } = parsePart('body', TrialForm, Object.fromEntries(form.fields));
      return {
        ...{ path, contentType, model, modelPath: 'model', remove: form.remove },
        async native(name) {
          const native = await form.toFormData({ model: name });
          native.delete('path');
          native.delete('contentType');
          return native;
        },
      };
    } catch (error) {
      await form.remove();
      throw error;
    }
  }

  /** Checks a trial in a fixed order, however it was sent; its profile and its own fields are checked before. */
  async function prepared(projectId: string, profile: Profile, trial: SentTrial) {
    requirePath(trial.path, trial.contentType, profile.engine);
    requireModel(trial.model, profile.modelId, trial.modelPath);
    const body = await trial.native(profile.modelId);
    return { body, endpoint: await endpointOf(projectId, { modelId: profile.modelId, profileId: profile.id }) };
  }

  return {
    async serve(projectId, ref, context) {
      const profile = await deps.profileOf(projectId, ref);
      const mediaType = context.request.headers['content-type']?.toLowerCase() ?? '';
      const isForm = mediaType.startsWith('multipart/form-data');
      const room = (isForm ? disk : memory).open(projectId);
      try {
        const trial = await (isForm ? readForm(context, room) : readJson(context, room));
        try {
          const { response, signal } = context;
          const path = trial.path.slice(VERSION_PREFIX.length);
          const { body, endpoint } = await prepared(projectId, profile, trial);
          await forward({ endpoint, path, body, dispatcher: deps.dispatcher, response, signal });
        } finally {
          await trial.remove();
        }
      } finally {
        room.release();
      }
    },
  };
}
