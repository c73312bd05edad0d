import { expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { readEnvExample } from '@clew/testing';
import { AgentConfig } from './agent/index.ts';
import { ModelRuntimeConfig } from './config.ts';

it.each([
  ['the API', ModelRuntimeConfig],
  ['the agent', AgentConfig],
])('.env.example names every variable of %s, with a value that its schema takes', (_role, schema) => {
  const example = readEnvExample();
  expect(Object.keys(schema.shape).filter((variable) => !(variable in example))).toEqual([]);
  expect(() => loadConfig(schema, example)).not.toThrow();
});
