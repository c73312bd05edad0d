/** Import rules beyond the boundaries between projects that ESLint enforces; type imports count like all others. */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Of two files that need each other, one holds what belongs in a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'test-support-is-for-tests',
      comment: 'What runs for users must not need what tests stand on.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          '\\.(i|l|e2e\\.)?test\\.ts$',
          '/test-support/',
          '^libs/testing(-host)?/',
          '^libs/[^/]+/bench/',
          '/bench/',
        ],
      },
      to: { path: ['/test-support/', '^libs/testing(-host)?/'] },
    },
    {
      name: 'a-start-needs-no-packages-of-tests',
      comment: '`npm start` and images install `dependencies` alone.',
      severity: 'error',
      from: {
        path: '^(apps|libs|tools/(stack|seed))/',
        pathNot: ['\\.(i|l|e2e\\.)?test\\.ts$', '/test-support/', '^libs/testing(?!/src/dialects)[^/]*/', '/bench/'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    },
    {
      name: 'rooms-have-doors',
      comment: 'A room of these apps shows what others need in its index.ts; the rest may change unseen.',
      severity: 'error',
      from: { path: '^apps/(telemetry-warehouse|model-runtime-agent)/(?:src|bench)/([^/]+)' },
      to: {
        path: '^apps/$1/src/[^/]+/',
        pathNot: ['^apps/$1/src/[^/]+/index\\.ts$', '^apps/$1/src/$2/', '/test-support/'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/node_modules/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['clew-source', 'import', 'node', 'default'],
    },
  },
};
