import type { ServerResponse } from 'node:http';

/** The reason of all: an error of its own for each exchange costs more than the signal. */
const OVER = new DOMException('the exchange is over', 'AbortError');
const ends = new WeakMap<ServerResponse, AbortSignal>();

/**
 * A signal that an exchange is over: its answer was sent, or the one who asked has gone. It may be asked for at any time: one that has ended by then is known to
 * have, while a listener for `close` would wait for ever.
 */
export function exchangeEndOf(response: ServerResponse): AbortSignal {
  const known = ends.get(response);
  if (known) return known;
  const over = new AbortController();
  if (response.closed || response.destroyed || response.socket?.destroyed) over.abort(OVER);
  else response.once('close', () => over.abort(OVER));
  ends.set(response, over.signal);
  return over.signal;
}
