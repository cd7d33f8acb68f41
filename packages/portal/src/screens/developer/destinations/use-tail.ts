import type { ForwardedEvent } from '@helioport/contract';
import { useEffect, useState } from 'react';
import { call } from '../../../wire/call.ts';
import { CallFailure } from '../../../wire/failure.ts';

const PAUSE_MS = 1_500;
const SHOWN_AT_MOST = 100;

interface Tail {
  /** Whether it is known from where on events are shown. */
  readonly isFollowing: boolean;
  /** Newest first. */
  readonly events: readonly ForwardedEvent[];
  /** Why no more come. */
  readonly refusal: string | undefined;
}

/** What a destination is sent while somebody watches: asked for again and again, from where the answer before ended. */
export function useTail(id: string, isWatching: boolean): Tail {
  const [events, setEvents] = useState<readonly ForwardedEvent[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const [isFollowing, setFollowing] = useState(false);
  useEffect(() => {
    if (!isWatching) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let after: string | undefined;
    const look = async (): Promise<void> => {
      try {
        const { cursor, events: newest = [] } = await call(
          'forwarding/tail',
          { id, ...(after !== undefined && { after }) },
          leaving.signal,
        );
        after = cursor ?? after;
        setFollowing(true);
        setRefusal(undefined);
        if (newest.length > 0)
          setEvents((before) => [...newest.toReversed(), ...before].slice(0, SHOWN_AT_MOST));
      } catch (error) {
        if (leaving.signal.aborted) return;
        // The network may come back; a refusal is final.
        if (error instanceof CallFailure && error.status !== 429) return setRefusal(error.message);
      }
      if (!leaving.signal.aborted) timer = setTimeout(() => void look(), PAUSE_MS);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      setFollowing(false);
    };
  }, [id, isWatching]);
  return { isFollowing, events, refusal };
}
