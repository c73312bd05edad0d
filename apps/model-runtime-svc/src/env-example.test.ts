import { expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { readEnvExample } from '@clew/testing';
import { ModelRuntimeConfig } from './config.ts';

it('.env.example names every variable of this app, with a value that its schema takes', () => {
  const example = readEnvExample();
  expect(Object.keys(ModelRuntimeConfig.shape).filter((variable) => !(variable in example))).toEqual([]);
  expect(() => loadConfig(ModelRuntimeConfig, example)).not.toThrow();
});
