import config from './.dependency-cruiser.mjs';

/**
 * Rule about folders, kept apart from the other rules: a folder counts with all of its files that are read, and tests
 * import from everywhere, so this configuration excludes tests.
 */
export default {
  forbidden: [
    {
      name: 'no-circles-of-folders',
      comment: 'Of two folders that need each other, one holds what belongs in a third.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...config.options,
    exclude: { path: [...config.options.exclude.path, '\\.(i|l|e2e\\.)?test\\.ts$', '/test-support/'] },
  },
};
