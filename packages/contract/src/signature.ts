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

/** The string that is signed: five parts, joined by single line feeds. The method is always POST (specification, Authentication, rule 6). interface S5 */
export const stringToSign = ({ contentMd5, contentType, date, path }: SignedParts): string => `POST\n${contentMd5}\n${contentType}\n${date}\n${path}`;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** The Date header for an instant (epoch ms): `EEE, d MMM yyyy HH:mm:ss 'GMT'`. */
export function signedDate(at: number): string {
  const d = new Date(at);
  return `${DAYS[d.getUTCDay()]}, ${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} GMT`;
}
