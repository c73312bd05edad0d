import { join } from 'node:path';
import { ENGINE_VERSIONS } from '@clew/model-runtime';
import { TaskFailure } from '../reconcile/index.ts';
import { engineAsset } from './assets.ts';
import { textProbe, type DriverOptions, type EngineDriver } from './driver.ts';
import { environmentPython, installPackages } from './python.ts';

const MIB = 1024 * 1024;
const VERSION = ENGINE_VERSIONS['llama.cpp'];
const PROMPT_CACHE_MIB = 256;
/** Minus one puts as many layers as fit on an accelerator, if there is one. */
const ALL_LAYERS = -1;

/** Driver of llama.cpp's own HTTP server, as built in the package `xllamacpp`. */
export function createLlamaCpp(options: DriverOptions): EngineDriver {
  return {
    name: 'llama.cpp',
    version: VERSION,
    diskBytes: 300 * MIB,
    startTimeoutMs: 600_000,
    install: (context) =>
      installPackages(
        context,
        {
          requirementsFile: engineAsset('llama.cpp.requirements.txt'),
          ...{ distribution: 'xllamacpp', module: 'xllamacpp', version: VERSION },
        },
        options,
      ),
    launch(context) {
      const settingsFile = join(context.runFolder, 'settings.json');
      return {
        command: [environmentPython(context.engineFolder), '-I', '-u', engineAsset('llama_server.py'), settingsFile],
        env: { ENGINE_API_KEY: context.apiKey },
        settings: {
          file: settingsFile,
          content: {
            modelPath: join(context.artifactFolder, firstWeights(context.files)),
            alias: context.alias,
            host: context.host,
            port: context.port,
            contextLength: context.contextLength,
            parallelRequests: context.parallelRequests,
            gpuLayers: ALL_LAYERS,
            embedding: context.category === 'embedding',
            promptCacheMib: PROMPT_CACHE_MIB,
          },
        },
        probe: textProbe(context),
      };
    },
  };
}

/** Returns the first weights file: if a model is split into several, it names the others. */
function firstWeights(files: readonly string[]): string {
  const [first] = files.filter((file) => file.endsWith('.gguf') && !/mmproj/i.test(file)).sort();
  if (first === undefined) throw new TaskFailure('ARTIFACT_NOT_DOWNLOADED', 'The profile has no GGUF file');
  return first;
}
