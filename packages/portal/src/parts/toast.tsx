import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { CheckIcon, CrossIcon, WarningIcon } from './icons.tsx';
import { texts } from './texts/index.ts';
import { unsettled } from '../wire/settle.ts';
import { texts as wireTexts } from '../wire/texts/index.ts';
import styles from './toast.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'fault';
  /** A link to what comes next. */
  readonly next?: ReactNode;
}

const SHOWN_MS = 4000;
/** A success goes earlier once somebody goes on with something else, which it might cover; it can still be read to its end. */
const READ_MS = 2000;
/** A fault stays longer, since it has to be read. */
const FAULT_SHOWN_MS = 15_000;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

const remove = (id: number): void => set(shown.filter((one) => one.id !== id));

function add(text: string, kind: Toast['kind'], forMs: number, next?: ReactNode): void {
  lastId += 1;
  const id = lastId;
  // One success replaces the last, so that little is covered.
  const others = kind === 'done' ? shown.filter((one) => one.kind === 'fault') : shown;
  set([...others.slice(-2), { id, text, kind, next }]);
  setTimeout(() => remove(id), forMs);
}

/** Called when somebody has gone on with something else. */
function goOn(): void {
  const read = shown.filter(({ kind }) => kind === 'done');
  if (read.length > 0) setTimeout(() => set(shown.filter((one) => !read.includes(one))), READ_MS);
}

const SIGNS_OF_GOING_ON = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Short messages at the edge of the page, read out by screen readers. */
export const toast = {
  show: (text: string, next?: ReactNode): void => add(text, 'done', SHOWN_MS, next),
  fault: (text: string): void => add(text, 'fault', FAULT_SHOWN_MS),
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where the messages appear; part of the shell. */
export function Toasts(): ReactNode {
  const t = texts.useTexts();
  const all = useSyncExternalStore(subscribe, () => shown);
  useEffect(() => {
    for (const sign of SIGNS_OF_GOING_ON) addEventListener(sign, goOn, { passive: true });
    return () => {
      for (const sign of SIGNS_OF_GOING_ON) removeEventListener(sign, goOn);
    };
  }, []);
  const { asking, outcome } = useSyncExternalStore(unsettled.subscribe, unsettled.current);
  const words = wireTexts.useTexts();
  // Not as other successes, which the next would replace: what was unknown has to be seen.
  const [shownNo, setShownNo] = useState(0);
  const latest = outcome && outcome.no > shownNo ? outcome : undefined;
  useEffect(() => {
    if (!latest) return;
    const timer = setTimeout(() => setShownNo(latest.no), FAULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {asking > 0 && (
        <div className={styles.toast} data-kind="fault">
          <WarningIcon />
          <span>{words.asking}</span>
        </div>
      )}
      {latest && (
        <div className={styles.toast} data-kind={latest.isDone ? 'done' : 'fault'}>
          {latest.isDone ? <CheckIcon /> : <WarningIcon />}
          <span>{latest.text}</span>
          <button type="button" aria-label={t.close} onClick={() => setShownNo(latest.no)}>
            <CrossIcon size={16} />
          </button>
        </div>
      )}
      {all.map(({ id, text, kind, next }) => (
        <div key={id} className={styles.toast} data-kind={kind}>
          {kind === 'done' ? <CheckIcon /> : <WarningIcon />}
          <span>
            {text} {next}
          </span>
          <button type="button" aria-label={t.close} onClick={() => remove(id)}>
            <CrossIcon size={16} />
          </button>
        </div>
      ))}
    </div>
  );
}
