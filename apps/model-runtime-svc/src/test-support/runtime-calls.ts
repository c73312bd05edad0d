import { PROFILE } from '@clew/testing-model-runtime';
import type { RuntimeUser } from './runtime-service.ts';

export const install = (user: RuntimeUser, engine = 'llama.cpp') =>
  user.call<{ state: string; generation: number }>({ method: 'POST', path: `/engines/${engine}/installations` });
export const remove = (user: RuntimeUser, engine = 'llama.cpp') =>
  user.call({ method: 'DELETE', path: `/engines/${engine}` });
export const at = (modelId: string, rest = '') => `/${modelId}/profiles/${PROFILE}${rest}`;
export const download = (user: RuntimeUser, modelId: string) =>
  user.call<{ generation: number }>({ method: 'POST', path: at(modelId, '/downloads') });
export const start = (user: RuntimeUser, modelId: string, body?: unknown) =>
  user.call<{ generation: number }>({ method: 'PUT', path: at(modelId, '/service'), body });
export const stop = (user: RuntimeUser, modelId: string) =>
  user.call({ method: 'DELETE', path: at(modelId, '/service') });
