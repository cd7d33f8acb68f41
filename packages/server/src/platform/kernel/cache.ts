/** Values by key, up to a maximum number; the least recently used one is dropped. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

export function createCache<K, V>(atMost: number): Cache<K, V> {
  // A Map keeps insertion order, so a value that is used is inserted again at the end.
  const values = new Map<K, V>();
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) {
        values.delete(key);
        values.set(key, value);
      }
      return value;
    },
    set(key, value) {
      values.delete(key);
      if (values.size >= atMost) values.delete(values.keys().next().value!);
      values.set(key, value);
    },
  };
}
