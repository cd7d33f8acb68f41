const REMEMBERED = 5_000;

/** Remembers the last names, so that nothing is taken twice. */
export interface Recent {
  has(name: string): boolean;
  add(name: string): void;
}

export function createRecent(atMost: number = REMEMBERED): Recent {
  const names = new Set<string>();
  return {
    has: (name) => names.has(name),
    add(name) {
      names.add(name);
      for (const oldest of names) {
        if (names.size <= atMost) break;
        names.delete(oldest);
      }
    },
  };
}
