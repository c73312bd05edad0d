import { AUTO_MODEL, type ModelCategory, type ModelPrice, type ModelPurpose } from '@clew/contracts';
import { AppError, notFound } from '@clew/kernel';
import { credentialsOf, type ProviderDirectory } from './provider-directory.ts';
import type { LocalEndpoint, LocalServices } from './local-services.ts';

/** Endpoint of a call. */
export interface ModelEndpoint {
  /** Name that the caller's model resolved to: `<provider>/<model>` or `self/<model_id>`. */
  name: string;
  provider: string;
  /** Name of the model at the provider. */
  model: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** True if it runs in this deployment, at an address of our own choice. */
  isLocal: boolean;
  /** Price of the model when the call began; undefined if none was entered. */
  price?: ModelPrice | undefined;
}

export interface Endpoints {
  /**
   * Finds the endpoint of a call. Throws MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, SERVICE_NOT_RUNNING or MODEL_UNAVAILABLE.
   */
  find(projectId: string, model: string, purpose: ModelPurpose): Promise<ModelEndpoint>;
  /** Looks up a named model without waking its service or counting as use. Throws the same errors as `find`. */
  look(projectId: string, model: string): Promise<LookedModel>;
}

export interface LookedModel {
  /** Identity of the endpoint; if it changes, results of earlier probes no longer apply. */
  identity: string;
  /** Purpose of the model; undefined if only a probe can tell. */
  category: ModelCategory | undefined;
  /** Undefined if the context length is in the provider's list of models. */
  contextLength: number | undefined;
  /** Undefined while the service sleeps: a call would wake it. */
  endpoint: ModelEndpoint | undefined;
  /** Runs calls that probe the model's capabilities. */
  whileProbed<T>(probe: () => Promise<T>): Promise<T>;
}

export interface EndpointsDependencies {
  directory: ProviderDirectory;
  localServices: LocalServices;
  /** Resolves `service/auto` for the project. */
  autoModel: (projectId: string, purpose: ModelPurpose) => Promise<string | undefined>;
}

export function createEndpoints({ directory, localServices, autoModel }: EndpointsDependencies): Endpoints {
  async function ofProvider(projectId: string, name: string): Promise<ModelEndpoint> {
    const [provider, model] = splitModelName(name);
    const endpoint = provider === 'service' ? undefined : await directory.find(projectId, provider);
    if (endpoint === undefined) throw notFound('MODEL_NOT_FOUND', `The project has no provider "${provider}"`);
    const price = endpoint.prices.find((each) => each.model === model);
    const headers = credentialsOf(endpoint);
    return { name, provider, model, baseUrl: endpoint.baseUrl, headers, isLocal: false, price };
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

/** Splits a name into the provider and its name for the model, which may contain slashes. */
export function splitModelName(name: string): [provider: string, model: string] {
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
}
