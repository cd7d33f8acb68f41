import { errorEnvelope } from '@helioport/contract';
import type { Socket } from 'node:net';
import { systemClock } from '../../../../platform/kernel/clock.ts';
import { CONNECTION_LIMITS } from '../connection-limits.ts';
import { JSON_TYPE } from '../errors.ts';
import { endReading, isAnswered } from './unread.ts';

/** Answers what the HTTP parser refuses, which never becomes a request, with the envelope: a listener's handler of `clientError`. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable)
    return void socket.destroy();
  // Browsers open connections in advance. One that has sent nothing is closed without a word: a refusal would be taken for the answer to a request that is
  // just being sent, while a request on a connection that was closed is repeated on another.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0)
    return void socket.destroy();
  // A body that is still arriving after its answer is worth no second answer.
  if (isAnswered(socket)) return void socket.destroy();
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? `the headers may have at most ${CONNECTION_LIMITS.maxHeaderSize} bytes`
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'the request did not arrive in time'
        : 'this is not an HTTP request';
  const body = JSON.stringify(errorEnvelope('malformedRequest', message));
  const date = new Date(systemClock.now()).toUTCString();
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${date}`,
    'Connection: close',
  ];
  socket.write([...head, '', body].join('\r\n'));
  endReading(socket);
}
