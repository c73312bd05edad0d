/**
 * One Jest configuration for every project. Files named `*.test.ts` are unit tests, `*.itest.ts` need the real
 * MongoDB and RabbitMQ that `tools/test/src/main.ts` starts. Node itself loads the sources, see ADR 76.
 */
export default {
  rootDir: import.meta.dirname,
  runtime: '<rootDir>/tools/test/src/jest/node-runtime.ts',
  testEnvironment: '<rootDir>/tools/test/src/jest/node-environment.ts',
  testMatch: ['**/src/**/*.test.ts', '**/src/**/*.itest.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/\\.clew'],
  injectGlobals: false,
  transform: {},
  testTimeout: 60_000,
  // Memory that a module leaks stays with its worker, and there are hundreds of test files: larger workers are
  // restarted.
  workerIdleMemoryLimit: '1.5GB',
};
