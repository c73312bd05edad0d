export { createChildHost, engineUser } from './child-host.ts';
export { type EngineChild, EngineHostAway, type EngineHost, type EngineStart, PRIVATE_FOLDERS } from './engine-host.ts';
export { bootId, NONCE_VARIABLE, runningPids, startTimeOf, variableOf } from './identity.ts';
export { endProcesses, processesMarked } from './marked.ts';
export { GPU_QUERY_PROGRAM, isEngineProgram, PYTHONS } from './programs.ts';
export { createSocketHost } from './socket-host.ts';
export { superviseEngines } from './supervisor.ts';
