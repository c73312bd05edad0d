/**
 * One Jest configuration for every project. Files named `*.test.ts` are unit tests, `*.itest.ts` need the real
 * MongoDB and RabbitMQ that `tools/test/run.ts` starts. Sources stay ES modules (swc only strips the types).
 */
export default {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['clew-source', 'node', 'node-addons'] },
  testMatch: ['**/src/**/*.test.ts', '**/src/**/*.itest.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.clew'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  testTimeout: 60_000,
  // Memory that a module leaks stays with its worker, and there are hundreds of test files: larger workers are
  // restarted.
  workerIdleMemoryLimit: '1GB',
};
