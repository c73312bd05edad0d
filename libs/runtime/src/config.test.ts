import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import {
  booleanVariable,
  brokerVariables,
  ConfigError,
  integerVariable,
  loadConfig,
  mongoVariables,
  processVariables,
  secretVariables,
} from './config.ts';

const Schema = z.object({
  ...processVariables,
  ...mongoVariables,
  ...brokerVariables,
  ...secretVariables,
  LIMIT: integerVariable(1, 10, 5),
  SWITCH: booleanVariable(true),
});
const GOOD = {
  MONGO_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  AMQP_URL: 'amqp://127.0.0.1',
  AUTH_SECRET: 'x'.repeat(32),
};

function problemsOf(env: Record<string, string | undefined>): string {
  try {
    loadConfig(Schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('loadConfig', () => {
  it('fills in defaults, also for a variable that is set to nothing', () => {
    expect(loadConfig(Schema, { ...GOOD, PORT: '', LIMIT: undefined })).toMatchObject({
      PORT: 8080,
      LIMIT: 5,
      SWITCH: true,
      LOG_LEVEL: 'info',
    });
  });

  it('reads numbers and switches from their text', () => {
    expect(loadConfig(Schema, { ...GOOD, LIMIT: '10', SWITCH: 'false' })).toMatchObject({ LIMIT: 10, SWITCH: false });
  });

  it('names every variable that is wrong or missing at once', () => {
    const problems = problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', SWITCH: 'yes', LIMIT: '1.5' });
    for (const name of ['PORT', 'LOG_LEVEL', 'SWITCH', 'LIMIT', 'MONGO_URL', 'AMQP_URL', 'AUTH_SECRET']) {
      expect(problems).toMatch(new RegExp(`^ {2}- ${name}: `, 'm'));
    }
  });

  it('never tells a value, which may be a secret', () => {
    const names = Object.keys(Schema.shape);
    const values = fc.stringMatching(/^[A-Z0-9]{12,20}$/).map((text) => `s3cr3t${text}`);
    fc.assert(
      fc.property(fc.constantFrom(...names), values, (name, value) => {
        expect(problemsOf({ [name]: value })).not.toContain('s3cr3t');
      }),
    );
  });

  it.each([
    ['LIMIT', '0'],
    ['LIMIT', '11'],
    ['LIMIT', 'many'],
    ['PORT', '-1'],
    ['MONGO_URL', 'http://127.0.0.1'],
    ['AMQP_URL', 'mongodb://127.0.0.1'],
    ['AUTH_SECRET', 'x'.repeat(31)],
    ['DEPLOYMENT_TARGET', 'moon'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...GOOD, [name]: value })).toContain(name);
  });
});
