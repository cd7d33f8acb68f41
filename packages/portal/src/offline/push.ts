/** What a push message says; the server writes it. */
interface PushText {
  readonly title: string;
  readonly body: string;
  /** Path within the portal. */
  readonly url: string;
  readonly id?: string;
}

/** Shows push messages, and opens what they are about when somebody taps them. */
export function showPushMessages(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    if (!event.data) return;
    const { title, body, url, id } = event.data.json() as PushText;
    // Of a message that was sent twice, one is shown.
    event.waitUntil(
      worker.registration.showNotification(title, {
        body,
        data: url,
        icon: '/icons/sun.svg',
        ...(id !== undefined && { tag: id }),
      }),
    );
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(
      open(worker, new URL(String(event.notification.data), worker.location.origin).href),
    );
  });
}

async function open(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window' });
  const [shown] = windows;
  if (!shown) return void (await worker.clients.openWindow(url));
  await shown.focus();
  await shown.navigate(url);
}
