import type { Series } from '../../packages/server/src/measurements/series/port.ts';

/** The same engine, noting what it is asked. */
export function noting(series: Series): { readonly series: Series; readonly asked: string[] } {
  const asked: string[] = [];
  const noted: Series = new Proxy(series, {
    get(target, name: keyof Series) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      if (name === 'withRevisions') return () => noted;
      return (...given: never[]) => {
        asked.push(name);
        return (value as (...all: never[]) => unknown)(...given);
      };
    },
  });
  return { series: noted, asked };
}
