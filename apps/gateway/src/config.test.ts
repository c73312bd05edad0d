import { describe, expect, it } from '@jest/globals';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts';
import { ConfigError, loadConfig } from '@clew/runtime';
import { GatewayConfig } from './config.ts';

const GOOD = {
  MONGO_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  AMQP_URL: 'amqp://127.0.0.1',
  AUTH_SECRET: 'x'.repeat(32),
  IDENTITY_PRIVATE_KEY_FILE: '/run/secrets/gateway.pem',
  ...Object.fromEntries(CALLED_SERVICES.map((name) => [addressVariable(name), `http://${name}:8080`])),
};

function problems(env: Record<string, string>): string {
  try {
    loadConfig(GatewayConfig, env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('the configuration of the gateway', () => {
  it('needs only what nobody but the operator can know', () => {
    expect(problems(GOOD)).toBe('');
    for (const name of Object.keys(GOOD)) {
      const without = Object.fromEntries(Object.entries(GOOD).filter(([given]) => given !== name));
      expect(problems(without)).toContain(`- ${name}:`);
    }
  });

  it.each([
    ['API_KEY_CACHE_MS', '30001'],
    ['API_KEY_ENVIRONMENT', 'Live_1'],
    ['RATE_LIMIT_PER_SECOND', '0'],
    ['TELEMETRY_INGEST_URL', 'telemetry-ingest'],
    ['UPSTREAM_BREAKER_FAILURES', 'never'],
    ['MAX_EVENT_LOOP_LAG_MS', '-1'],
    ['AUTH_SECRET', 'hunter2'],
    ['MONGO_URL', 'postgres://user:hunter2@host'],
  ])('refuses %s=%s, naming the variable and not its value', (name, value) => {
    const told = problems({ ...GOOD, [name]: value });
    expect(told).toContain(`- ${name}:`);
    expect(told).not.toContain(value);
  });
});
