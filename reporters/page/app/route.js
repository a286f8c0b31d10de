/**
 * What the page shows is in its address, `#/PLACE/PLACE?name=value`, so that links, Back and reload
 * work. In a report the places are a tab; at the server the name of a run stands before it.
 * @typedef {Readonly<{ path: readonly string[], params: Readonly<Record<string, string>> }>} Route
 */

/** @returns {Route} */
export function readRoute() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const places = path
    .split('/')
    .filter((place) => place !== '')
    .map(decode);
  return { path: places, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** @param {string} place */
function decode(place) {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

/**
 * @param {readonly string[]} path
 * @param {Readonly<Record<string, string | undefined>>} params those that are '' are left out
 */
export function toLink(path, params = {}) {
  const named = Object.entries(params).flatMap(([name, value = '']) =>
    value === '' ? [] : [[name, value]],
  );
  const query = new URLSearchParams(named).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

/**
 * Changes some parameters of the address. `isStep` if Back should undo it.
 * @param {Readonly<Record<string, string>>} params
 */
export function setParams(params, isStep = false) {
  const { path, params: known } = readRoute();
  const address = toLink(path, { ...known, ...params });
  if (isStep) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  dispatchEvent(new Event('hashchange'));
}
