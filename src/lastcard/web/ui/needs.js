/**
 * What modules cannot do without: texts and style sheets. A top-level `await` would say it too, but in Safari (WebKit
 * bug 242740) a module that is asked for again while it waits counts as ready, and whoever asked finds it empty.
 */

/** @type {Promise<unknown>} */
let needed = Promise.resolve();

/**
 * At the top of a module: `load` waits for these.
 *
 * @param {...Promise<void>} things on their way
 */
export function need(...things) {
  needed = Promise.all([needed, ...things]);
}

/**
 * Wait for a module, and for all that it and those it imports need.
 *
 * @template M
 * @param {Promise<M>} importing what `import()` gives
 */
export async function load(importing) {
  const module = await importing;
  await needed;
  return module;
}

/**
 * Something that is made when it is first wanted, and then always the same.
 *
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
export function once(make) {
  /** @type {Promise<T> | undefined} */
  let loading;
  return () => (loading ??= make());
}
