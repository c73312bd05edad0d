import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { commentStart } from './tools/lint/comment-start.mjs';

/** Imports that each kind of project may have. An app never imports an app; the inner libraries know no framework. */
const moduleBoundaries = [
  { sourceTag: 'type:kernel', onlyDependOnLibsWithTags: [], bannedExternalImports: ['express', 'mongoose', 'amqplib'] },
  {
    sourceTag: 'type:contracts',
    onlyDependOnLibsWithTags: ['type:kernel'],
    bannedExternalImports: ['express', 'mongoose', 'amqplib'],
  },
  // Published without the rest of the repository, and without dependencies.
  {
    sourceTag: 'type:sdk',
    onlyDependOnLibsWithTags: ['type:testing'],
    bannedExternalImports: ['express', 'mongoose', 'amqplib'],
  },
  // Published with the SDK alone.
  {
    sourceTag: 'type:cli',
    onlyDependOnLibsWithTags: ['type:sdk', 'type:testing'],
    bannedExternalImports: ['express', 'mongoose', 'amqplib'],
  },
  {
    sourceTag: 'type:domain',
    onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:domain', 'type:testing'],
    bannedExternalImports: ['express', 'mongoose', 'amqplib'],
  },
  {
    sourceTag: 'type:lib',
    onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:lib', 'type:testing'],
  },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:lib', 'type:testing', 'type:tool'],
  },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:kernel', 'type:contracts', 'type:domain', 'type:lib', 'type:testing'],
  },
  // Runs in browsers, on the public API alone.
  {
    sourceTag: 'type:web',
    onlyDependOnLibsWithTags: ['type:sdk'],
    bannedExternalImports: ['express', 'mongoose', 'amqplib', 'zod'],
  },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['*'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['*'] },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.nx/**', '**/.clew*/**', '**/*.d.ts', '**/*.gen.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mts', '**/*.mjs'],
    plugins: { '@nx': nx, clew: { rules: { 'comment-start': commentStart } } },
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { enforceBuildableLibDependency: true, allow: [], depConstraints: moduleBoundaries },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      // TypeScript already reports unknown names.
      'no-undef': 'off',
      'no-console': 'error',
      'clew/comment-start': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  // A script for mongosh, which has Node's names of CommonJS.
  { files: ['deploy/**/*.js'], languageOptions: { globals: { __dirname: 'readonly' } } },
  {
    files: ['{apps,libs,tools}/*/src/**/*.ts', 'e2e/src/**/*.ts'],
    ignores: ['apps/workbench/**'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  {
    files: ['apps/workbench/src/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: { project: './apps/workbench/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Texts of strangers are shown as text: use HostileText.',
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      '**/*test.ts',
      '**/test-support/**',
      'libs/{operator,cli,sdk,testing}/**',
      'apps/workbench/**',
      'libs/kernel/src/{read-json,visit-json,normalised}.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'JSON', property: 'parse', message: 'It mistakes escaped names: use readJson of @clew/kernel.' },
        { property: 'normalize', message: 'Marks in a row take quadratic time: use normalised of @clew/kernel.' },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts'],
    ignores: ['**/*test.ts', '**/test-support/**', 'libs/testing{,-host}/**'],
    plugins: { regexp },
    rules: {
      // One long text must not block everyone who shares the process. tools/test measures the cases that these two
      // rules cannot see.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false, ignorePartial: false }],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.itest.ts', '**/*.ltest.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
