/** An address to which paths are appended, whether or not it was given with a slash at its end. */
export const baseUrl = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
