import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { DatasetsConfig } from './config.ts';

const COMPLETE = {
  MONGO_URL: 'mongodb://mongo/?replicaSet=rs0',
  AMQP_URL: 'amqp://rabbit',
  AUTH_SECRET: 'a secret of at least thirty-two bytes',
  IDENTITY_PUBLIC_KEYS_FILE: '/keys/jwks.json',
  IDENTITY_PRIVATE_KEY_FILE: '/keys/own.pem',
  MODEL_RUNTIME_SVC_URL: 'http://models:8080',
  TELEMETRY_WAREHOUSE_URL: 'http://warehouse:8080',
  DIAGNOSTICS_SVC_URL: 'http://diagnostics:8080',
  KNOWLEDGE_SVC_URL: 'http://knowledge:8080',
};

describe('the configuration', () => {
  it('needs no more than the addresses, the secret and the keys', () => {
    expect(loadConfig(DatasetsConfig, COMPLETE)).toMatchObject({
      MONGO_DATABASE: 'clew_datasets',
      MAX_JSON_BODY_BYTES: 1_048_576,
      MAX_BATCH_BODY_BYTES: 67_108_864,
      PORT: 8080,
    });
  });

  it.each(Object.keys(COMPLETE))('is refused without %s, which the message names', (name) => {
    expect(() => loadConfig(DatasetsConfig, { ...COMPLETE, [name]: undefined })).toThrow(`- ${name}: `);
  });

  it.each([
    ['MONGO_URL', 'postgres://user:password@mongo'],
    ['AUTH_SECRET', 'password'],
    ['MAX_WAITING_CHANGES', 'password'],
    ['MAX_BATCH_BODY_BYTES', '1'],
  ])('is refused with %s=%s, and the message names the variable without its value', (name, value) => {
    const load = () => loadConfig(DatasetsConfig, { ...COMPLETE, [name]: value });
    expect(load).toThrow(`- ${name}: `);
    expect(load).not.toThrow('password');
  });
});
