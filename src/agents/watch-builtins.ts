/*
 * A module runs beside everything else of its worker: a method of a built-in that it replaces is gone for viva, for the
 * other samples and for Vitest. What this file uses itself is therefore taken when it is loaded, before any module, and
 * its loops count: an iterator is a method of a prototype too.
 */
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { is } = Object;

const HOLDERS: readonly (readonly [string, object])[] = [
  ['AbortController.prototype', AbortController.prototype],
  ['AbortSignal.prototype', AbortSignal.prototype],
  ['Array', Array],
  ['Array.prototype', Array.prototype],
  ['Function.prototype', Function.prototype],
  ['Map.prototype', Map.prototype],
  ['Number', Number],
  ['Number.prototype', Number.prototype],
  ['Object', Object],
  ['Object.prototype', Object.prototype],
  ['Promise', Promise],
  ['Promise.prototype', Promise.prototype],
  ['RegExp.prototype', RegExp.prototype],
  ['Set.prototype', Set.prototype],
  ['String.prototype', String.prototype],
  ['WeakMap.prototype', WeakMap.prototype],
];

/** Not Date and the timers: viva has its own, and an agent may freeze them. */
const GLOBALS = ['AbortController', 'AbortSignal', 'Array', 'Map', 'Number', 'Object', 'Promise', 'RegExp', 'Set'];

type Kept = {
  readonly name: string;
  readonly holder: object;
  readonly key: PropertyKey;
  readonly descriptor: PropertyDescriptor;
};

let kept: readonly Kept[] = [];
let isKnown: (key: PropertyKey) => boolean = () => true;

/** Keeps the methods of built-ins as they are now: what a module replaces when it is imported stays as it says. */
export function keepBuiltins(): void {
  const ofHolders = HOLDERS.flatMap(([name, holder]) => ownKeys(holder).flatMap((key) => keep(holder, key, name)));
  kept = [...ofHolders, ...GLOBALS.flatMap((key) => keep(globalThis, key, 'globalThis'))];
  isKnown = Set.prototype.has.bind(new Set(ownKeys(Object.prototype)));
}

/**
 * Puts back what was replaced or removed since, and takes away what was added to all objects. Returns the names of what
 * was changed, none that the module chose: it may hold what must not be shown.
 */
export function restoreBuiltins(): readonly string[] {
  const changed: string[] = [];
  // First, since a "get" that all objects have is one of every descriptor.
  if (takeAwayAdded()) changed[0] = 'Object.prototype (a new key)';
  for (let index = 0; index < kept.length; index++) {
    const one = kept[index];
    if (one === undefined || isUnchanged(one)) continue;
    defineProperty(one.holder, one.key, one.descriptor);
    changed[changed.length] = one.name;
  }
  return changed;
}

function keep(holder: object, key: PropertyKey, name: string): readonly Kept[] {
  const found = getOwnPropertyDescriptor(holder, key);
  if (found === undefined) return [];
  const descriptor: PropertyDescriptor = Object.assign(Object.create(null), found);
  return [{ name: `${name}.${String(key)}`, holder, key, descriptor }];
}

function takeAwayAdded(): boolean {
  const keys = ownKeys(Object.prototype);
  let added = false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (key === undefined || isKnown(key)) continue;
    deleteProperty(Object.prototype, key);
    added = true;
  }
  return added;
}

function isUnchanged({ holder, key, descriptor }: Kept): boolean {
  const now = getOwnPropertyDescriptor(holder, key);
  if (now === undefined) return false;
  return is(now.value, descriptor.value) && now.get === descriptor.get && now.set === descriptor.set;
}
