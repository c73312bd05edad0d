import { join } from 'node:path';
import { ENGINE_VERSIONS } from '@clew/model-runtime';
import { TaskFailure } from '../reconcile/index.ts';
import { engineAsset } from './assets.ts';
import { textProbe, type DriverOptions, type EngineDriver } from './driver.ts';
import { installPackages } from './python.ts';

const GIB = 1024 ** 3;
/** Newest version whose dependencies are all published and can be pinned. */
const VERSION = ENGINE_VERSIONS.vllm;
const PYTHON_RANGE = { min: 11, max: 13 };

/** Driver of vLLM, for machines with an accelerator. */
export function createVllm(options: DriverOptions): EngineDriver {
  return {
    name: 'vllm',
    version: VERSION,
    diskBytes: 12 * GIB,
    startTimeoutMs: 1_800_000,
    async install(context) {
      if (context.gpus.length === 0) {
        throw new TaskFailure('GPU_REQUIRED', 'vLLM needs an NVIDIA GPU with its driver, and this node shows none');
      }
      const requirementsFile = engineAsset('vllm.requirements.txt');
      const wheel = { distribution: 'vllm', module: 'vllm', version: VERSION };
      await installPackages(context, { requirementsFile, pythonRange: PYTHON_RANGE, ...wheel }, options);
    },
    launch(context) {
      const flags = {
        'served-model-name': context.alias,
        host: context.host,
        port: String(context.port),
        'max-model-len': String(context.contextLength),
        'max-num-seqs': String(context.parallelRequests),
      };
      return {
        command: [
          join(context.engineFolder, 'venv', 'bin', 'vllm'),
          'serve',
          context.artifactFolder,
          ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
        ],
        // Key in the environment, since arguments are visible to everybody on the machine.
        env: {
          VLLM_API_KEY: context.apiKey,
          HF_HUB_OFFLINE: '1',
          VLLM_NO_USAGE_STATS: '1',
          // Compiled kernels take gigabytes and minutes, so they are kept with the engine, on the volume.
          VLLM_CACHE_ROOT: join(context.cacheFolder, 'vllm'),
          HF_HOME: join(context.cacheFolder, 'huggingface'),
          TRITON_CACHE_DIR: join(context.cacheFolder, 'triton'),
          TORCHINDUCTOR_CACHE_DIR: join(context.cacheFolder, 'inductor'),
          XDG_CACHE_HOME: context.cacheFolder,
        },
        probe: textProbe(context),
      };
    },
  };
}
