// Loaded by `--import` before every process of a stack: gives those that know the Rules as many as CLEW_BENCH_RULES says.
const KNOWS_RULES = /\/(?:jobs-worker|diagnostics-svc)\/dist\/main\.js$/;

if (KNOWS_RULES.test(process.argv[1] ?? '')) {
  const { setRules } = await import('./extra-rules.ts');
  setRules(Number(process.env['CLEW_BENCH_RULES']));
}

export {};
