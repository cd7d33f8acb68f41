import { Failure } from '../../../platform/kernel/failure.ts';

/** The headers that a signature covers, as received. */
export interface SignedHeaders {
  readonly contentMd5: string;
  readonly contentType: string;
  readonly date: string;
}

/**
 * Reads the signed headers from the raw pairs. If a header is repeated, Node keeps the first or joins all, depending on the name, so its parsed
 * headers might not be what was signed. Throws malformedRequest unless each of the four was sent exactly once.
 */
export function signedHeaders(rawHeaders: readonly string[]): SignedHeaders {
  let contentMd5: string | undefined;
  let contentType: string | undefined;
  let date: string | undefined;
  let authorization: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = rawHeaders[i + 1]!;
    // The lengths of the four names differ, so most headers are skipped without being lower-cased.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'date') date = once('Date', date, value);
        break;
      case 11:
        if (name.toLowerCase() === 'content-md5')
          contentMd5 = once('Content-MD5', contentMd5, value);
        break;
      case 12:
        if (name.toLowerCase() === 'content-type')
          contentType = once('Content-Type', contentType, value);
        break;
      case 13:
        if (name.toLowerCase() === 'authorization')
          authorization = once('Authorization', authorization, value);
    }
  }
  return {
    contentMd5: present('Content-MD5', contentMd5),
    contentType: present('Content-Type', contentType),
    date: present('Date', date),
  };
}

function once(field: string, before: string | undefined, value: string): string {
  if (before !== undefined)
    throw new Failure('malformedRequest', {
      data: { field },
      message: `the header ${field} was sent more than once`,
    });
  return value;
}

function present(field: string, value: string | undefined): string {
  if (value === undefined)
    throw new Failure('malformedRequest', {
      data: { field },
      message: `the header ${field} is missing`,
    });
  return value;
}
