export { startLoopbackHub, type LoopbackHub, type LoopbackHubOptions } from './loopback-hub.ts';
export { ggufFile } from './gguf.ts';
export { syntheticBytes, type HubRepo } from './repository.ts';
export { CHAT_REPO, EMBEDDING_REPO, GATED_REPO, SPEECH_REPO } from './sample-repos.ts';
export type { Faults, HubRequest } from './traffic.ts';
