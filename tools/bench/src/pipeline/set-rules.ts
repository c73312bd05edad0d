// Preloaded with `--import` into every process of a stack: gives processes that know the Rules CLEW_BENCH_RULES of
// them.
const KNOWS_RULES = /\/(?:jobs-worker|diagnostics-svc)\/dist\/main\.js$/;

if (KNOWS_RULES.test(process.argv[1] ?? '')) {
  const { setRules } = await import('./extra-rules.ts');
  setRules(Number(process.env['CLEW_BENCH_RULES']));
}

export {};
