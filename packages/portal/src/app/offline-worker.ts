/** It loads the app once more, which the first page should not have to wait for. */
const INSTALLED_AFTER_MS = 1_500;

/** Installs the service worker, which keeps a page for times without a connection (offline/worker.ts), a little later. */
export function installOfflineWorker(): void {
  setTimeout(install, INSTALLED_AFTER_MS);
}

function install(): void {
  // Development serves modules one by one; keeping them would show old code.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  // Without it the portal works as well, as long as there is a connection.
  navigator.serviceWorker
    .register('/service-worker.js')
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => {
      const tell = (files: readonly PerformanceEntry[]): void =>
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a worker, not to a window
        active?.postMessage(files.map(({ name }) => name));
      // What was loaded before it was there, and what follows.
      new PerformanceObserver((list) => tell(list.getEntries())).observe({
        type: 'resource',
        buffered: true,
      });
    })
    .catch(() => undefined);
}
