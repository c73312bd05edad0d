import { expect, it } from '@jest/globals';
import { loadConfig } from '@clew/runtime';
import { IngestConfig } from './config.ts';

const REQUIRED = {
  AMQP_URL: 'amqp://localhost',
  IDENTITY_PUBLIC_KEYS_FILE: 'keys.json',
  IDENTITY_PRIVATE_KEY_FILE: 'key.pem',
  TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:8082',
};

it('has defaults for all but the broker, the keys and the warehouse', () => {
  expect(loadConfig(IngestConfig, REQUIRED)).toMatchObject({
    MAX_OTLP_BODY_BYTES: 67_108_864,
    MAX_OTLP_DECOMPRESSED_BYTES: 268_435_456,
    MAX_BYTES_IN_FLIGHT: 50_331_648,
    MAX_SPOOLS: 3,
  });
  expect(() => loadConfig(IngestConfig, {})).toThrow(/AMQP_URL/);
});

it('a body that is kept in memory fits in the budget of all of them by default', () => {
  const config = loadConfig(IngestConfig, REQUIRED);
  expect(config.SPOOL_THRESHOLD_BYTES).toBeLessThan(config.MAX_BYTES_IN_FLIGHT / 2);
});
