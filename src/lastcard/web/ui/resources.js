/**
 * What modules cannot do without: texts and style sheets. A top-level `await` would say it too, but in Safari (WebKit
 * bug 242740) a module that is asked for again while it waits counts as ready, and whoever asked finds it empty.
 */

/** @type {Promise<unknown>} */
let needed = Promise.resolve();
/** How many modules are on their way. */
let pendingLoads = 0;

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
  count(1);
  try {
    const module = await importing;
    await needed;
    return module;
  } finally {
    count(-1);
  }
}

/**
 * A module that the picture does without: it is asked for after that.
 *
 * @template M
 * @param {() => Promise<M>} importing calls `import()`
 */
export async function later(importing) {
  count(1);
  try {
    await new Promise((resolve) => setTimeout(resolve));
    return await load(importing());
  } finally {
    count(-1);
  }
}

/**
 * The pointer shows that something is on its way (`base.css`), and whoever drives the page can wait for it.
 *
 * @param {1 | -1} change
 */
function count(change) {
  pendingLoads += change;
  document.documentElement.toggleAttribute("data-loading", pendingLoads > 0);
}

/**
 * Something that is made when it is first wanted, and then always the same. What fails is tried again.
 *
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
export function once(make) {
  /** @type {Promise<T> | undefined} */
  let loading;
  return () => {
    if (!loading) {
      loading = make();
      loading.catch(() => (loading = undefined));
    }
    return loading;
  };
}
