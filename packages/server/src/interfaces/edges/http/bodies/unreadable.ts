import { errorEnvelope } from '@helioport/contract';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../../../platform/kernel/clock.ts';
import { CONNECTION_LIMITS } from '../connection-limits.ts';
import { JSON_TYPE } from '../errors.ts';
import { endReading, isAnswered } from './unread.ts';

/**
 * Answers what the HTTP parser refuses, which never becomes a request, with the envelope: a listener's handler of `clientError`. `late`: the status of a
 * request that did not arrive in time; 400 at listeners where 408 means a wrong clock, and never where 400 means that a report may be
 * deleted.
 */
export const refuseUnreadable =
  (late: 400 | 408) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable)
      return void socket.destroy();
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // Browsers open connections in advance. One that has sent nothing is closed without a word: a refusal would be taken for the answer to a request that
    // is just being sent, while a request on a connection that was closed is repeated on another.
    if (isLate && socket.bytesRead === 0) return void socket.destroy();
    // A body that is still arriving after its answer is worth no second answer.
    if (isAnswered(socket)) return void socket.destroy();
    socket.write(
      isLate ? refusal(late, 'the request did not arrive in time') : refusal(400, reasonOf(error)),
    );
    endReading(socket);
  };

const reasonOf = ({ code }: NodeJS.ErrnoException): string =>
  code === 'HPE_HEADER_OVERFLOW'
    ? `the headers may have at most ${CONNECTION_LIMITS.maxHeaderSize} bytes`
    : 'this is not an HTTP request';

function refusal(status: 400 | 408, message: string): string {
  const body = JSON.stringify(errorEnvelope('malformedRequest', message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date(systemClock.now()).toUTCString()}`,
    'Connection: close',
  ];
  return [...head, '', body].join('\r\n');
}
