import { useEffect, useState } from 'react';
import { serverNow } from '../wire/server-clock.ts';

const TICK_MS = 10_000;

/** The server's time, ms since 1970 UTC. It goes on by itself, so that what is said of ages stays true without a report. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const ticks = setInterval(() => setNow(serverNow()), TICK_MS);
    return () => clearInterval(ticks);
  }, []);
  return now;
}
