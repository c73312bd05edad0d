import { expect, it } from '@jest/globals';
import type { RoleHost } from '@clew/host';
import { silentLogger } from '@clew/testing';
import type { AgentConfig } from './config.ts';
import { createAgentApp } from './create-agent-app.ts';

it('an agent without its keys says so at once, in words for whoever runs it, wherever its servers are', () => {
  const config = { AGENT_KEYS_FILE: '/nowhere/agent-keys.json', DEPLOYMENT_TARGET: 'server' };
  const host = { config, logger: silentLogger(), api: {} } as unknown as RoleHost<AgentConfig>;
  expect(() => createAgentApp(host)).toThrow(
    expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining('AGENT_KEYS_FILE: /nowhere/') }),
  );
});
