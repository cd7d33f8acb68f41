/** So many values by key, the oldest of which are forgotten. */
export interface Remembered<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

export function createRemembered<V>(atMost: number): Remembered<V> {
  const values = new Map<string, V>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      if (values.size >= atMost) values.delete(values.keys().next().value!);
      values.set(key, value);
    },
  };
}
