import type { EngineName } from '@clew/contracts';

/** The version of each engine that the API offers, and the agent installs. */
export const ENGINE_VERSIONS: Readonly<Record<EngineName, string>> = {
  'llama.cpp': '2026.10.11549',
  vllm: '0.32.0',
  'faster-whisper': '1.2.1',
};
