/**
 * Names of variables that determine how a program runs on this machine and its accelerators. All others stay with the
 * agent: secrets, addresses of servers, proxies, and settings of pip.
 */
const ALLOWED = /^(?:PATH|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|CUDA_\w+|NVIDIA_\w+|VLLM_\w+)$/;

/**
 * Environment of an engine: the allowed variables of the process that starts it; home and temporary files are in its
 * own folder.
 */
export function engineEnvironment(privateFolder: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const allowed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && ALLOWED.test(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(allowed), HOME: privateFolder, TMPDIR: privateFolder };
}
