/** A call that was made, beside one that is expected. */
export type Likeness = 'same' | 'other arguments' | 'other tool';

/**
 * An expected call: its likeness to each call that was made, and the number of its item in the list.
 * Several calls of one item must be made in one turn.
 */
export type ExpectedRow = Readonly<{ item: number; likenesses: readonly Likeness[] }>;

type Item = readonly ExpectedRow[];

export const ORDERS = {
  exact: 'directly after each other',
  in_order: 'in this order',
  any: 'in any order',
} as const;

export const NOWHERE = -1;

/**
 * The place of each expected call among those that were made, or NOWHERE. `turns` has the turn of
 * each call that was made.
 */
export function placeCalls(
  rows: readonly ExpectedRow[],
  turns: readonly number[],
  order: keyof typeof ORDERS,
): readonly number[] {
  const items = [...Map.groupBy(rows, ({ item }) => item).values()];
  if (order === 'any') return placeAnywhere(items, turns);
  if (order === 'exact') {
    for (const start of turns.keys()) {
      const places = placeTogether(items, turns, start);
      if (!places.includes(NOWHERE)) return places;
    }
  }
  let from = 0;
  return items.flatMap((item) => {
    const places = placeFirst(item, turns, from);
    if (!places.includes(NOWHERE)) from = Math.max(...places) + 1;
    return places;
  });
}

/** Each item takes the calls that directly follow those of the item before. */
function placeTogether(
  items: readonly Item[],
  turns: readonly number[],
  start: number,
): readonly number[] {
  let from = start;
  return items.flatMap((item) => {
    const window = item.map((_, index) => from + index);
    from += item.length;
    const isOneTurn = turns[window[0] ?? 0] === turns[from - 1];
    return match(item, () => (isOneTurn ? window : []));
  });
}

/** The calls of an item that end first, of those from a place on. */
function placeFirst(item: Item, turns: readonly number[], from: number): readonly number[] {
  for (let end = from; end < turns.length; end++) {
    if (!item.some(({ likenesses }) => likenesses[end] === 'same')) continue;
    const start = Math.max(from, turns.indexOf(turns[end] ?? 0));
    const ended = range(start, end + 1);
    const places = match(item, () => ended);
    if (!places.includes(NOWHERE)) return places;
  }
  return item.map(() => NOWHERE);
}

function placeAnywhere(items: readonly Item[], turns: readonly number[]): readonly number[] {
  const rows = items.flat();
  const groups = items.filter((item) => item.length > 1);
  const all = range(0, turns.length);
  const anywhere = match(rows, () => all);
  if (groups.length === 0 || anywhere.includes(NOWHERE)) return anywhere;
  const inTurns = [...Map.groupBy(all, (place) => turns[place]).values()];
  const choices = groups.map((group) => ({
    item: group[0]?.item ?? NOWHERE,
    // The other rows are in fewer turns than there are rows, so one of as many turns is free.
    turns: inTurns
      .filter((places) => !match(group, () => places).includes(NOWHERE))
      .slice(0, rows.length),
  }));
  // The one with the fewest turns first: a choice that cannot work is then seen early.
  choices.sort((a, b) => a.turns.length - b.turns.length);
  const isGrouped = (row: ExpectedRow) => groups.some((group) => group.includes(row));
  return (
    chooseTurns(rows, choices, all) ??
    rows.map((row, index) => (isGrouped(row) ? NOWHERE : (anywhere[index] ?? NOWHERE)))
  );
}

/** The turns, as lists of places, that may have all calls of an item. */
type Choice = Readonly<{ item: number; turns: readonly (readonly number[])[] }>;

/** Tries each turn for each item. Null if no choice leaves all calls a place. */
function chooseTurns(
  rows: readonly ExpectedRow[],
  choices: readonly Choice[],
  all: readonly number[],
  chosen: ReadonlyMap<number, readonly number[]> = new Map(),
): readonly number[] | null {
  const places = match(rows, ({ item }) => chosen.get(item) ?? all);
  if (places.includes(NOWHERE)) return null;
  const [choice, ...others] = choices;
  if (choice === undefined) return places;
  for (const turn of choice.turns) {
    const found = chooseTurns(rows, others, all, new Map([...chosen, [choice.item, turn]]));
    if (found !== null) return found;
  }
  return null;
}

/** Gives as many rows as possible a place of their own, by augmenting paths. */
function match(
  rows: readonly ExpectedRow[],
  placesOf: (row: ExpectedRow) => readonly number[],
): readonly number[] {
  const owners = new Map<number, number>();
  const claim = (index: number, row: ExpectedRow, tried: Set<number>): boolean =>
    placesOf(row).some((place) => {
      if (row.likenesses[place] !== 'same' || tried.has(place)) return false;
      tried.add(place);
      const owner = owners.get(place);
      const other = owner === undefined ? undefined : rows[owner];
      if (owner !== undefined && other !== undefined && !claim(owner, other, tried)) return false;
      owners.set(place, index);
      return true;
    });
  for (const [index, row] of rows.entries()) claim(index, row, new Set());
  const found = new Map([...owners].map(([place, index]) => [index, place]));
  return rows.map((_, index) => found.get(index) ?? NOWHERE);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
