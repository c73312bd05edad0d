import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName } from '@clew/contracts';
import { BROKEN_REGISTRY, SCRIPTED_VERSION } from '@clew/testing-model-runtime';
import { TaskFailure } from '../reconcile/index.ts';
import { textProbe, type EngineDriver, type EngineDrivers } from '../drivers/index.ts';

const PROGRAM = join(import.meta.dirname, 'scripted-engine.ts');

/** Engines that are a small program each, installed by writing a file. */
export function scriptedDrivers(homePath: string, installMs: number): EngineDrivers {
  const driver = (name: EngineName): EngineDriver => ({
    name,
    version: SCRIPTED_VERSION,
    diskBytes: 1,
    startTimeoutMs: 30_000,
    async install({ folder, gpus, signal, stage, line }) {
      if (name === 'vllm' && gpus.length === 0) throw new TaskFailure('GPU_REQUIRED', 'needs a GPU');
      stage('installing packages');
      line(`installing ${name}`);
      await sleep(installMs, undefined, { signal });
      if (existsSync(join(homePath, BROKEN_REGISTRY))) throw new TaskFailure('INSTALL_FAILED', 'no such package');
      await writeFile(join(folder, 'engine'), name);
    },
    launch(context) {
      const file = join(context.runFolder, 'settings.json');
      const { alias, host, port } = context;
      return {
        command: [process.execPath, PROGRAM, file],
        env: { ENGINE_API_KEY: context.apiKey },
        settings: { file, content: { alias, host, port } },
        probe: textProbe(context),
      };
    },
  });
  return { 'llama.cpp': driver('llama.cpp'), vllm: driver('vllm'), 'faster-whisper': driver('faster-whisper') };
}
