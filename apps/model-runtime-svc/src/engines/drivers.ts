import type { EngineDrivers } from './driver.ts';
import { createFasterWhisper } from './faster-whisper.ts';
import { createLlamaCpp } from './llama-cpp.ts';
import { createVllm } from './vllm.ts';

export interface DriverOptions {
  /** The Python to make environments with; the first on PATH that will do by default. */
  python?: string | undefined;
}

/** The engines that can be installed. */
export function createDrivers(options: DriverOptions): EngineDrivers {
  return {
    'llama.cpp': createLlamaCpp(options),
    vllm: createVllm(options),
    'faster-whisper': createFasterWhisper(options),
  };
}
