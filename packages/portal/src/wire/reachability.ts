/** Whether the server answers. Everything that asks it reports here; the shell tells people and tries again. */
type Listener = () => void;

const listeners = new Set<Listener>();
let reachable = true;

function set(value: boolean): void {
  if (value === reachable) return;
  reachable = value;
  for (const listener of listeners) listener();
}

export const reachability = {
  isReachable: (): boolean => reachable,
  answered: (): void => set(true),
  failed: (): void => set(false),
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
