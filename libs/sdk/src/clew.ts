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

class WholeClient {
  readonly [Symbol.toStringTag] = 'Clew';

  constructor(options: ClewOptions = {}) {
    const client = createClient(options, resources);
    const models: ModelsMethods = client.models;
    const pull: Models['pull'] = (modelId, pullOptions = {}) => pullModel(models, modelId, pullOptions);
    Object.assign(this, client, { models: { ...models, pull } });
  }
}

/** Makes a client of the whole API; `createClient` makes a smaller one. */
export const Clew = WholeClient as unknown as new (options?: ClewOptions) => Clew;
