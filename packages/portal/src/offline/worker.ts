import { showPushMessages } from './push.ts';

const worker = globalThis as unknown as ServiceWorkerGlobalScope;

/** What is kept for times without a connection: the app itself, whose files never change, and the page that loads it. */
const KEPT = 'helioport-app';

const PAGE = '/';

worker.addEventListener('install', (event) => {
  event.waitUntil(keepPage().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

showPushMessages(worker);

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // What the server is asked, nobody else answers: readings that are out of date would look like new ones.
  if (
    request.method !== 'GET' ||
    url.origin !== worker.location.origin ||
    url.pathname.startsWith('/portal/')
  )
    return;
  if (request.mode === 'navigate')
    event.respondWith(freshOrKeptPage(request, (keeping) => event.waitUntil(keeping)));
  else if (isFile(url)) event.respondWith(keptOrFresh(request));
});

// The first page was loaded before this worker was there to see its files.
worker.addEventListener('message', ({ data }) => {
  for (const url of data as readonly string[])
    if (isFile(new URL(url))) void keptOrFresh(new Request(url)).catch(() => undefined);
});

const isFile = ({ origin, pathname }: URL): boolean =>
  origin === worker.location.origin && /^\/(assets|icons)\//.test(pathname);

/** What the page says about and to its reader (index.html), which is out of date without a connection, and may be another's. */
const PERSONAL = /(?<=<script [^>]*id="(?:session|answers)"[^>]*>)[^<]*/g;

async function keep(page: Response): Promise<void> {
  const text = await page.text();
  const cache = await caches.open(KEPT);
  await cache.put(PAGE, new Response(text.replace(PERSONAL, 'null'), { headers: page.headers }));
}

async function keepPage(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'reload' });
  if (!page.ok) throw new Error(`status ${page.status}`);
  await keep(page);
}

/** `kept`: goes on until the page is kept, without keeping its reader waiting. */
async function freshOrKeptPage(
  request: Request,
  kept: (keeping: Promise<void>) => void,
): Promise<Response> {
  try {
    const response = await fetch(request);
    // Every address has the same page; a new one may load other files.
    if (response.ok && (response.headers.get('Content-Type') ?? '').startsWith('text/html'))
      kept(keep(response.clone()));
    return response;
  } catch (error) {
    const last = await caches.match(PAGE);
    if (last) return last;
    throw error;
  }
}

async function keptOrFresh(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(KEPT);
    await cache.put(request, response.clone());
    await forgetOld(cache);
  }
  return response;
}

/** Number of files kept; those that were kept first are the oldest versions of the app. */
const FILES_AT_MOST = 200;

async function forgetOld(cache: Cache): Promise<void> {
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== PAGE);
  for (const file of files.slice(0, Math.max(0, files.length - FILES_AT_MOST)))
    await cache.delete(file);
}
