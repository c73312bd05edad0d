import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { DiagnosticsConfig } from './config.ts';

const COMPLETE = {
  MONGO_URL: 'mongodb://mongo/?replicaSet=rs0',
  AMQP_URL: 'amqp://rabbit',
  AUTH_SECRET: 'a secret of at least thirty-two bytes',
  IDENTITY_PRIVATE_KEY_FILE: '/keys/diagnostics-svc.pem',
  IDENTITY_PUBLIC_KEYS_FILE: '/keys/jwks.json',
  TELEMETRY_WAREHOUSE_URL: 'http://telemetry-warehouse:8080',
  MODEL_RUNTIME_SVC_URL: 'http://model-runtime-svc:8080',
};

describe('the configuration', () => {
  it('needs no more than the addresses, the secret and the keys', () => {
    expect(loadConfig(DiagnosticsConfig, COMPLETE)).toMatchObject({
      MONGO_DATABASE: 'clew_diagnostics',
      MOUNT_RULES: true,
      WEBHOOK_PAUSES_MS: [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 86_400_000, 86_400_000],
      MAX_HEARTBEAT_AGE_MS: 300_000,
      PORT: 8080,
    });
  });

  it('leaves the rule service out on request', () => {
    expect(loadConfig(DiagnosticsConfig, { ...COMPLETE, MOUNT_RULES: 'false' })).toMatchObject({ MOUNT_RULES: false });
  });

  it.each(Object.keys(COMPLETE))('is refused without %s, which the message names', (name) => {
    expect(() => loadConfig(DiagnosticsConfig, { ...COMPLETE, [name]: undefined })).toThrow(`- ${name}: `);
    expect(() => loadConfig(DiagnosticsConfig, { ...COMPLETE, [name]: '' })).toThrow(`- ${name}: `);
  });

  it.each([
    ['MONGO_URL', 'postgres://user:password@mongo'],
    ['AMQP_URL', 'http://user:password@rabbit'],
    ['AUTH_SECRET', 'password'],
    ['TELEMETRY_WAREHOUSE_URL', 'telemetry-warehouse:8080'],
    ['TELEMETRY_WAREHOUSE_URL', 'ftp://user:password@warehouse'],
    ['MOUNT_RULES', 'password'],
    ['MAX_HEARTBEAT_AGE_MS', '999'],
    ['MAX_HEARTBEAT_AGE_MS', 'password'],
    ['OUTBOUND_ALLOW_CIDRS', 'password'],
    ['WEBHOOK_PAUSES_MS', '5000,password'],
    ['WEBHOOK_TIMEOUT_MS', '99'],
    ['PORT', '65536'],
    ['DEPLOYMENT_TARGET', 'password'],
    ['LOG_LEVEL', 'password'],
  ])('is refused with %s=%s, and the message names the variable without its value', (name, value) => {
    const load = () => loadConfig(DiagnosticsConfig, { ...COMPLETE, [name]: value });
    expect(load).toThrow(`- ${name}: `);
    expect(load).not.toThrow('password');
  });
});
