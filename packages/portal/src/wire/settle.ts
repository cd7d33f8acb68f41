import type { PortalOutcome } from '@helioport/contract';
import { documentLanguage } from '../i18n/active-language.tsx';
import { CallFailure, LostAnswer, Unreachable } from './failure.ts';
import { texts } from './texts/index.ts';

/** What is known of writes whose answer did not arrive; the shell tells people. */
export interface Unsettled {
  /** How many are being asked about. */
  readonly asking: number;
  /** What came out of the latest, and its number, so that the same is shown twice if it happens twice. */
  readonly outcome: { readonly text: string; readonly isDone: boolean; readonly no: number } | null;
}

const LOOK_AGAIN_MS = 1_500;

let state: Unsettled = { asking: 0, outcome: null };
const listeners = new Set<() => void>();

function set(next: Unsettled): void {
  state = next;
  for (const listener of listeners) listener();
}

export const unsettled = {
  current: (): Unsettled => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Finds out what became of a write whose answer did not arrive, for as long as that takes, by asking for its outcome: the answer if it was carried out. If it was not, it never
 * will be. Throws LostAnswer, which says what came out.
 */
export async function settle(ask: () => Promise<unknown>): Promise<unknown> {
  set({ ...state, asking: state.asking + 1 });
  // From now on, so that it can be said without a connection.
  const words = await texts.load(documentLanguage());
  const announce = (text: string, isDone: boolean): void => {
    const no = (state.outcome?.no ?? 0) + 1;
    set({ asking: state.asking - 1, outcome: { text, isDone, no } });
  };
  for (;;) {
    try {
      const { carriedOut, answer } = (await ask()) as PortalOutcome;
      if (!carriedOut) {
        announce(words.notCarriedOut, false);
        throw new LostAnswer(words.notCarriedOut, false);
      }
      if (answer === undefined) {
        announce(words.carriedOutUnseen, true);
        throw new LostAnswer(words.carriedOutUnseen, true);
      }
      announce(words.carriedOut, true);
      return answer;
    } catch (error) {
      if (error instanceof CallFailure) {
        announce(words.unknown, false);
        throw new LostAnswer(words.unknown, undefined);
      }
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}
