import { z } from 'zod';

/** Engines that a profile can run on; `engine_1` to `engine_3` are accepted as their names, in this order. */
export const ENGINES = ['llama.cpp', 'vllm', 'faster-whisper'] as const;
export const EngineName = z.enum(ENGINES);
export type EngineName = z.infer<typeof EngineName>;

export const MODEL_FORMATS = ['gguf', 'safetensors', 'ctranslate2'] as const;
export const ModelFormat = z.enum(MODEL_FORMATS);
export type ModelFormat = z.infer<typeof ModelFormat>;

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256 in lower-case hex' });

/** File of a repository on the model hub. */
export const HubSource = z.object({
  kind: z.literal('hub'),
  repoId: z.string(),
  revision: z.string().meta({ description: 'A commit where it is known, else a branch' }),
  path: z.string(),
  gated: z.boolean().meta({ description: 'Each project that wants it needs access of its own' }),
});

/** File inside a wheel of a package registry. */
export const PackageSource = z.object({
  kind: z.literal('package'),
  index: z.literal('pypi'),
  package: z.string(),
  version: z.string(),
  file: z.string().meta({ description: 'Its path inside the wheel' }),
});

export const ArtifactFile = z
  .object({
    path: z.string().meta({ description: 'Where the engine expects it, relative to the folder of the profile' }),
    sizeBytes: z.int().min(0).nullable(),
    sha256: Sha256.nullable(),
    source: z.discriminatedUnion('kind', [HubSource, PackageSource]),
  })
  .meta({ id: 'ArtifactFile' });
export type ArtifactFile = z.infer<typeof ArtifactFile>;

/** Runnable set of artifacts of a model. */
export const ModelProfile = z
  .object({
    id: z.string(),
    modelId: z.string(),
    format: ModelFormat,
    quantization: z.string().nullable(),
    engine: EngineName,
    files: z.array(ArtifactFile),
    memoryEstimateBytes: z.int().min(0).nullable(),
    contextLength: z.int().min(1).nullable(),
  })
  .meta({ id: 'ModelProfile' });
export type ModelProfile = z.infer<typeof ModelProfile>;
