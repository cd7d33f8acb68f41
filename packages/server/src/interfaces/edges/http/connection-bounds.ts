import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isAllowed } from '../../../platform/kernel/addresses/networks.ts';
import { createStrangers } from '../../../platform/kernel/addresses/strangers.ts';
import { CONNECTION_LIMITS } from './connection-limits.ts';
import { endReading } from './bodies/unread.ts';

type Bounds = Pick<
  typeof CONNECTION_LIMITS,
  'unansweredAtMost' | 'unreadTimeout' | 'connectionsOfNetwork'
>;

/**
 * Bounds what one peer makes a listener hold: requests on a connection that are not answered yet, answers that nobody reads, and connections. Call it
 * when the listener has its handler of requests. `trustedProxies`: CIDRs from which any number of connections may come.
 */
export function boundConnections(
  server: Server,
  bounds: Bounds = CONNECTION_LIMITS,
  trustedProxies: readonly string[] = [],
): void {
  const unanswered = boundUnanswered(server, bounds.unansweredAtMost);
  boundUnread(server, bounds.unreadTimeout, unanswered);
  boundNetworks(server, bounds.connectionsOfNetwork, trustedProxies);
}

type Unanswered = WeakMap<Socket, number>;

/**
 * Takes in so many requests of a connection that are not answered; at one more, the connection ends after their answers. Node stops reading only when the
 * answers pile up, and a peer that sends requests back to back has sent thousands of them before the first is answered.
 */
function boundUnanswered(server: Server, atMost: number): Unanswered {
  const unanswered: Unanswered = new WeakMap();
  const full = new WeakSet<Socket>();
  const handlers = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Of what has been read already, nothing more is taken in.
    if (full.has(socket)) return;
    const count = unanswered.get(socket) ?? 0;
    if (count >= atMost) {
      full.add(socket);
      socket.pause();
      return;
    }
    unanswered.set(socket, count + 1);
    response.once('close', () => {
      const left = unanswered.get(socket)! - 1;
      unanswered.set(socket, left);
      if (left === 0 && full.has(socket)) endReading(socket);
    });
    for (const handle of handlers) handle.call(server, request, response);
  });
  return unanswered;
}

/** Ends connections whose output has waited so many milliseconds without a byte being taken, and those that are idle for longer than is allowed. */
function boundUnread(server: Server, timeout: number, unanswered: Unanswered): void {
  // Node tells of sockets on which nothing was read or written for this long, and of those between two requests after `keepAliveTimeout`.
  server.setTimeout(timeout, (socket: Socket) => {
    const isWorking = (unanswered.get(socket) ?? 0) > 0 && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });
}

function boundNetworks(server: Server, ofNetwork: number, trustedProxies: readonly string[]): void {
  const strangers = createStrangers(ofNetwork);
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isAllowed(trustedProxies, remoteAddress)) return;
    const over = new AbortController();
    if (!strangers.admit(remoteAddress, over.signal)) return void socket.destroy();
    socket.once('close', () => over.abort());
  });
}
