export { readAgentKeys, type AgentKeys } from './agent-keys.ts';
export { AgentConfig } from './config.ts';
export { startAgent, type Agent, type AgentDependencies } from './create-agent.ts';
export { createArtifactTransfer } from './create-artifact-transfer.ts';
export type { EngineDrivers } from './engines/driver.ts';
export { createDrivers } from './engines/drivers.ts';
export { openHome } from './node/home.ts';
export { pipIndexUrl, registryVariables } from './sources/pip-settings.ts';
