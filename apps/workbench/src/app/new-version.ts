const NAME = 'clew.reloaded-at';
const ONCE_MS = 60_000;

/**
 * Reads the page again when a part of it is gone, as after a deployment while a tab was open; not again within a
 * minute, so that a part which is really missing shows its error.
 */
export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(NAME) ?? 0);
    if (Date.now() - last < ONCE_MS) return;
    sessionStorage.setItem(NAME, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
