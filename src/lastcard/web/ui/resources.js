/**
 * Resources that modules need: texts and style sheets. A top-level `await` would also work, but in Safari (WebKit bug 242740) a
 * module that is imported again while it waits counts as ready, and its importer finds it empty.
 */

/** @type {Promise<unknown>} */
let needed = Promise.resolve();
/** The number of modules that are loading. */
let pendingLoads = 0;

/** Called at the top of a module: `load` waits for these. @param {...Promise<void>} things that are loading */
export function need(...things) {
  needed = Promise.all([needed, ...things]);
}

/**
 * Waits for a module, and for all resources that it and its imports need.
 * @template M
 * @param {Promise<M>} importing the result of `import()`
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
 * Loads a module that the picture does not need, after the picture.
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
 * Counts loading modules. The pointer shows a wait (`base.css`), and browser tests can wait for it.
 * @param {1 | -1} change
 */
function count(change) {
  pendingLoads += change;
  document.documentElement.toggleAttribute("data-loading", pendingLoads > 0);
}

/**
 * Returns a function that makes a value on first use and then returns the same. A failure is retried.
 * @template T
 * @param {() => Promise<T>} make @returns {() => Promise<T>}
 */
export function once(make) {
  const each = onceEach(make);
  return () => each("");
}

/**
 * Returns a function that makes the value of each key on first use and then returns the same. A failure is retried.
 * @template T
 * @param {(key: string) => Promise<T>} make @returns {(key: string) => Promise<T>}
 */
export function onceEach(make) {
  /** @type {Map<string, Promise<T>>} */
  const made = new Map();
  return (key) => {
    const value = made.get(key) ?? make(key);
    if (!made.has(key)) value.catch(() => made.delete(key));
    made.set(key, value);
    return value;
  };
}
