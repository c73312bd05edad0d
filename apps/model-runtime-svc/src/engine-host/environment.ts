/**
 * Names that say how a program runs on this machine, and on its accelerators. Everything else stays with the agent:
 * secrets, addresses of servers, proxies, and whatever pip is told.
 */
const ALLOWED = /^(?:PATH|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|CUDA_\w+|NVIDIA_\w+|VLLM_\w+)$/;

/** What an engine gets of the environment of whoever starts it; its home and its temporary files are in a folder of its own. */
export function engineEnvironment(privateFolder: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const allowed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && ALLOWED.test(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(allowed), HOME: privateFolder, TMPDIR: privateFolder };
}
