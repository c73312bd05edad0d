import { createClient, type ClientBase } from './client.ts';
import type { ModelsMethods } from './generated/methods.gen.ts';
import * as resources from './generated/operations.gen.ts';
import { pullModel, type PulledModel, type PullOptions } from './models/pull-model.ts';
import type { ClewOptions } from './options.ts';
import type { MethodsOf } from './resource.ts';

/** Models, with what takes several operations. */
export interface Models extends ModelsMethods {
  /** Installs the engine of a model, downloads its files and starts its service, and waits until it answers. */
  pull(modelId: string, options?: PullOptions): Promise<PulledModel>;
}

/** Client of the whole API. */
export type Clew = ClientBase & Omit<MethodsOf<typeof resources>, 'models'> & { readonly models: Models };

/** Makes a client of the whole API; `createClient` makes a smaller one. */
export const Clew = function (options: ClewOptions = {}): Clew {
  const client = createClient(options, resources);
  const models = client.models as ModelsMethods;
  return { ...client, models: { ...models, pull: (modelId, pull = {}) => pullModel(models, modelId, pull) } };
} as unknown as new (options?: ClewOptions) => Clew;
