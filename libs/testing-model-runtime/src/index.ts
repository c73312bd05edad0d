export { type AgentChild, type AgentProcessSettings, startAgentChild } from './agent-child.ts';
export {
  ENGINE_HOSTS,
  ENGINE_USER,
  type EngineHostKind,
  isRoot,
  openToPod,
  socketOf,
  startSupervisor,
  type SupervisorChild,
} from './engine-hosts.ts';
export { artifactOf, PROFILE, testProfile } from './models.ts';
export {
  AWAY_SOURCE,
  BROKEN_REGISTRY,
  contentOf,
  FULL_DISK,
  SCRIPTED_VERSION,
  SCRIPTED_VERSIONS,
  sha256Of,
} from './scripted.ts';
