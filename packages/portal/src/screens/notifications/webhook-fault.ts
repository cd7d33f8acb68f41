import { isAbout } from '../../wire/failure.ts';

/** What is wrong with the address of a webhook. */
export type WebhookFault = 'scheme' | 'parts' | 'inside' | 'unencrypted' | 'failed';

const isHttp = (url: string): boolean => /^https?:\/\/[^/?#]/.test(url) && URL.canParse(url);

/** What is wrong with an address, as far as it can be seen without the server. */
export function addressFault(url: string): WebhookFault | undefined {
  if (!isHttp(url)) return 'scheme';
  const { username, password, hash } = new URL(url);
  return username !== '' || password !== '' || hash !== '' ? 'parts' : undefined;
}

/** Why the server refused an address. Which hosts there are in its own network is nobody's business, so that it does not say more. */
export function refusalOf(url: string, error: unknown): WebhookFault {
  if (!isAbout(error, 'url')) return 'failed';
  return url.startsWith('http:') ? 'unencrypted' : 'inside';
}
