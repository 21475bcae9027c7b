/** Service worker: caches help, fairness and the verifier. Play and money always use the network.
 */
const NAME = '{name}', FILES = /*{files}*/;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => (
    Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))))));
});

addEventListener('fetch', (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/'))
    return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request)
      .catch(() => caches.match(pathname === '/verifier' ? pathname : '/offline')));
  } else if (pathname.startsWith('/static/')) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
