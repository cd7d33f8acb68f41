/** What a signature covers. interface S5 */
export interface SignedParts {
  contentMd5: string;
  contentType: string;
  date: string;
  /** The endpoint's path, for example `/v1/api/inverterDetail`. */
  path: string;
}

/** The Content-Type that the specification requires. */
export const SIGNED_CONTENT_TYPE = 'application/json;charset=UTF-8';

/** The Content-Type that most existing clients sign, regardless of the one that they send (interface S13). */
export const USUAL_CONTENT_TYPE = 'application/json';

/** The string that is signed: five parts, joined by single line feeds. The method is always POST (specification, Authentication, rule 6). interface S5 */
export const stringToSign = ({ contentMd5, contentType, date, path }: SignedParts): string =>
  `POST\n${contentMd5}\n${contentType}\n${date}\n${path}`;
