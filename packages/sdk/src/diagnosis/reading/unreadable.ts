const messages = {
  notARequest: 'this is not an HTTP request',
  notAHeader: 'this is not a header',
  chunked: 'the body is chunked; capture the request with a Content-Length',
  incomplete: 'the body is shorter than Content-Length says: the capture is incomplete',
  quoteOpen: 'a quotation mark of the command is not closed',
  bodyInFile:
    'the body is in a file, which cannot be read from here; put its contents in place of the file’s name',
  noAddress: 'the command names no address',
  tooLong: 'this is too long for a request',
  notHar: 'this JSON holds no request of a HAR file',
} as const;

export type UnreadableReason = keyof typeof messages;

/** A text that holds no request. `detail`: the part of it that cannot be read. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason;
  readonly detail: string;

  constructor(reason: UnreadableReason, detail = '') {
    super(
      detail === ''
        ? messages[reason]
        : `${messages[reason]}: ${JSON.stringify(detail.slice(0, 60))}`,
    );
    this.reason = reason;
    this.detail = detail;
  }
}
