import type { DriverOptions, EngineDrivers } from './driver.ts';
import { createFasterWhisper } from './faster-whisper.ts';
import { createLlamaCpp } from './llama-cpp.ts';
import { createVllm } from './vllm.ts';

/** Drivers of the engines that can be installed. */
export function createDrivers(options: DriverOptions): EngineDrivers {
  return {
    'llama.cpp': createLlamaCpp(options),
    vllm: createVllm(options),
    'faster-whisper': createFasterWhisper(options),
  };
}
