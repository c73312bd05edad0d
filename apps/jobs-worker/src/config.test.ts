import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { WorkerConfig } from './config.ts';

const COMPLETE = {
  AMQP_URL: 'amqp://rabbit',
  IDENTITY_PRIVATE_KEY_FILE: '/keys/jobs-worker.pem',
  TELEMETRY_WAREHOUSE_URL: 'http://telemetry-warehouse:8080',
  DIAGNOSTICS_SVC_URL: 'http://diagnostics-svc:8080',
  KNOWLEDGE_SVC_URL: 'http://knowledge-svc:8080',
  MODEL_RUNTIME_SVC_URL: 'http://model-runtime-svc:8080',
};

describe('the configuration', () => {
  it('needs no more than the addresses and the key', () => {
    expect(loadConfig(WorkerConfig, COMPLETE)).toMatchObject({ MAX_HEARTBEAT_AGE_MS: 300_000, PORT: 8080 });
  });

  it.each(Object.keys(COMPLETE))('is refused without %s, which the message names', (name) => {
    expect(() => loadConfig(WorkerConfig, { ...COMPLETE, [name]: undefined })).toThrow(`- ${name}: `);
    expect(() => loadConfig(WorkerConfig, { ...COMPLETE, [name]: '' })).toThrow(`- ${name}: `);
  });

  it.each([
    ['AMQP_URL', 'http://user:password@rabbit'],
    ['TELEMETRY_WAREHOUSE_URL', 'telemetry-warehouse:8080'],
    ['TELEMETRY_WAREHOUSE_URL', 'ftp://user:password@warehouse'],
    ['MAX_HEARTBEAT_AGE_MS', '999'],
    ['MAX_HEARTBEAT_AGE_MS', 'password'],
    ['SHUTDOWN_GRACE_MS', '-1'],
    ['LOG_LEVEL', 'password'],
  ])('is refused with %s=%s, and the message names the variable without its value', (name, value) => {
    const load = () => loadConfig(WorkerConfig, { ...COMPLETE, [name]: value });
    expect(load).toThrow(`- ${name}: `);
    expect(load).not.toThrow('password');
  });
});
