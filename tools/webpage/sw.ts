// The service worker: keeps all files of one version of the site, so that it works without a network.
//
// tools/site writes a line before this file that sets SITE: the version, a hash of all files, and the files. So a new site
// is a new worker, which fetches all of it anew; it takes over when no page of the old one is open, or when one says so.

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Worker extends EventTarget {
  readonly SITE: { readonly version: string; readonly files: readonly string[] };
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}

{
  const worker = self as unknown as Worker;
  // Sites in other folders of this server have caches of their own.
  const prefix = `cairn ${worker.registration.scope} `;
  const name = prefix + worker.SITE.version;

  worker.addEventListener("install", (event) => {
    (event as ExtendableEvent).waitUntil(caches.open(name).then((cache) => (
      // Not from the browser's own cache, which may have files of another version.
      cache.addAll(worker.SITE.files.map((file) => new Request(file, { cache: "reload" })))
    )));
  });

  worker.addEventListener("activate", (event) => {
    const old = async (): Promise<void> => {
      for (const key of await caches.keys()) {
        if (key.startsWith(prefix) && key !== name) await caches.delete(key);
      }
      await worker.clients.claim();
    };
    (event as ExtendableEvent).waitUntil(old());
  });

  worker.addEventListener("message", (event) => {
    if ((event as MessageEvent).data === "now") void worker.skipWaiting();
  });

  worker.addEventListener("fetch", (event) => {
    const { request } = event as FetchEvent;
    if (request.method !== "GET" || !request.url.startsWith(worker.registration.scope)) return;
    const answer = async (): Promise<Response> => {
      const cache = await caches.open(name);
      return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
    };
    (event as FetchEvent).respondWith(answer());
  });
}
