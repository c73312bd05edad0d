import { join } from 'node:path';
import { ENGINE_VERSIONS } from '@clew/model-runtime';
import { engineAsset } from './assets.ts';
import type { DriverOptions, EngineDriver, Probe } from './driver.ts';
import { environmentPython, installPackages } from './python.ts';

const MIB = 1024 * 1024;
const VERSION = ENGINE_VERSIONS['faster-whisper'];
const SAMPLE_RATE = 16_000;
const BYTES_PER_SAMPLE = 2;
const PROBE_SECONDS = 0.2;
/** Zero means all processors. */
const ALL_THREADS = 0;

/** Driver of faster-whisper behind a thin server of ours. */
export function createFasterWhisper(options: DriverOptions): EngineDriver {
  return {
    name: 'faster-whisper',
    version: VERSION,
    diskBytes: 700 * MIB,
    startTimeoutMs: 300_000,
    install: (context) =>
      installPackages(
        context,
        {
          requirementsFile: engineAsset('faster-whisper.requirements.txt'),
          ...{ distribution: 'faster-whisper', module: 'faster_whisper', version: VERSION },
        },
        options,
      ),
    launch(context) {
      const settingsFile = join(context.runFolder, 'settings.json');
      return {
        command: [environmentPython(context.engineFolder), '-I', '-u', engineAsset('whisper_server.py'), settingsFile],
        env: { ENGINE_API_KEY: context.apiKey, HF_HUB_OFFLINE: '1' },
        settings: {
          file: settingsFile,
          content: {
            modelPath: context.artifactFolder,
            alias: context.alias,
            host: context.host,
            port: context.port,
            device: 'auto',
            computeType: 'default',
            threads: ALL_THREADS,
          },
        },
        probe: silenceProbe(context.alias),
      };
    },
  };
}

/** Probe that transcribes a moment of silence. */
function silenceProbe(model: string): Probe {
  return {
    path: '/v1/audio/transcriptions',
    body() {
      const form = new FormData();
      form.set('model', model);
      form.set('file', new Blob([silentWav()], { type: 'audio/wav' }), 'silence.wav');
      return form;
    },
  };
}

function silentWav(): Buffer<ArrayBuffer> {
  const dataBytes = SAMPLE_RATE * PROBE_SECONDS * BYTES_PER_SAMPLE;
  const wav = Buffer.alloc(44 + dataBytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + dataBytes, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  // Audio format: uncompressed, one channel.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE, 24);
  wav.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  wav.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  wav.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(dataBytes, 40);
  return wav;
}
