import { expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { readEnvExample } from '@clew/testing';
import { DatasetsConfig } from './config.ts';

it('.env.example names every variable of this app, with a value that its schema takes', () => {
  const example = readEnvExample();
  expect(Object.keys(DatasetsConfig.shape).filter((variable) => !(variable in example))).toEqual([]);
  expect(() => loadConfig(DatasetsConfig, example)).not.toThrow();
});
