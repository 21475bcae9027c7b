/** Style sheets of views that few players open: each is fetched with its view. */

const coming = /** @type {Map<string, Promise<void>>} */ (new Map());

/** Fetch `css/<name>.css`, once. A view waits for it, so that it is never seen without its style.
 * A sheet that cannot be fetched does not hold its view back. @param {string} name
 * @param {string} [media] */
export function style(name, media = 'all') {
  const asked = coming.get(name) ?? new Promise((resolve) => {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.media = media;
    sheet.href = new URL(`../css/${name}.css`, import.meta.url).href;
    sheet.onload = sheet.onerror = () => resolve(undefined);
    document.head.append(sheet);
  });
  coming.set(name, asked);
  return asked;
}
