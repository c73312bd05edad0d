import { AUTO_MODEL, type ModelCategory, type ModelPurpose } from '@clew/contracts';
import { AppError, notFound } from '@clew/kernel';
import { credentialsOf, type ProviderDirectory } from './provider-directory.ts';
import type { LocalEndpoint, LocalServices } from './local-services.ts';

/** Where a call goes. */
export interface ModelEndpoint {
  /** What the caller's model name stood for: `<provider>/<model>` or `self/<model_id>`. */
  name: string;
  provider: string;
  /** The model as the provider knows it. */
  model: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** Runs in this deployment, at an address of our own choice. */
  isLocal: boolean;
}

export interface Endpoints {
  /** Throws MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, SERVICE_NOT_RUNNING or MODEL_UNAVAILABLE. */
  find(projectId: string, model: string, purpose: ModelPurpose): Promise<ModelEndpoint>;
  /** What there is for a model that is named: to look wakes nothing and is no use of it. Throws as `find` does. */
  look(projectId: string, model: string): Promise<LookedModel>;
}

export interface LookedModel {
  /** Another text means that what was probed says nothing of what is there now. */
  identity: string;
  /** What it is there for; undefined where only a probe can tell. */
  category: ModelCategory | undefined;
  /** Undefined where the list of the provider's models would tell. */
  contextLength: number | undefined;
  /** Undefined while it sleeps: a call would wake it. */
  endpoint: ModelEndpoint | undefined;
  /** Runs calls that try out what the model can do. */
  whileProbed<T>(probe: () => Promise<T>): Promise<T>;
}

export interface EndpointsDependencies {
  directory: ProviderDirectory;
  localServices: LocalServices;
  /** What `service/auto` stands for in the project. */
  autoModel: (projectId: string, purpose: ModelPurpose) => Promise<string | undefined>;
}

export function createEndpoints({ directory, localServices, autoModel }: EndpointsDependencies): Endpoints {
  async function ofProvider(projectId: string, name: string): Promise<ModelEndpoint> {
    const [provider, model] = splitModelName(name);
    const endpoint = provider === 'service' ? undefined : await directory.find(projectId, provider);
    if (endpoint === undefined) throw notFound('MODEL_NOT_FOUND', `The project has no provider "${provider}"`);
    return { name, provider, model, baseUrl: endpoint.baseUrl, headers: credentialsOf(endpoint), isLocal: false };
  }

  async function named(projectId: string, name: string): Promise<ModelEndpoint> {
    const [provider, model] = splitModelName(name);
    if (provider !== LOCAL) return await ofProvider(projectId, name);
    const service = await localServices.endpointOf(projectId, model);
    if (service === undefined) throw notRunning();
    return localEndpoint(name, service);
  }

  return {
    async find(projectId, name, purpose) {
      if (name !== AUTO_MODEL) return await named(projectId, name);
      const chosen = await autoModel(projectId, purpose);
      if (chosen === undefined) {
        throw new AppError('MODEL_UNAVAILABLE', 'The project has no default model, and none that suits was found');
      }
      return await named(projectId, chosen);
    },
    async look(projectId, name) {
      const [provider, model] = splitModelName(name);
      if (provider !== LOCAL) {
        const endpoint = await ofProvider(projectId, name);
        const identity = JSON.stringify([endpoint.baseUrl, endpoint.headers]);
        const untold = { category: undefined, contextLength: undefined };
        return { identity, ...untold, endpoint, whileProbed: (probe) => probe() };
      }
      const service = await localServices.look(projectId, model);
      if (service === undefined) throw notRunning();
      return { ...service, endpoint: service.endpoint && localEndpoint(name, service.endpoint) };
    },
  };
}

const LOCAL = 'self';

function localEndpoint(name: string, service: LocalEndpoint): ModelEndpoint {
  const [provider, model] = splitModelName(name);
  return { name, provider, model, baseUrl: service.baseUrl, headers: credentialsOf(service), isLocal: true };
}

function notRunning(): AppError {
  return new AppError('SERVICE_NOT_RUNNING', 'No service of this model is running');
}

/** The provider and what it calls the model, which may hold slashes of its own. */
export function splitModelName(name: string): [provider: string, model: string] {
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
}
