import { systemClock, type Clock } from './clock.ts';
import { createHttpLink } from './http/http-link.ts';
import type { Link } from './link.ts';
import { createMqttLink } from './mqtt/mqtt-link.ts';

/** Where the server is, and who reports; `helioport collector add --json` prints all but the address. */
export interface LinkOptions {
  /** `http://` or `https://` for the gateway, `mqtt://` or `mqtts://` for the broker. */
  readonly url: string;
  readonly token: string;
  /** The collector's id; over MQTT alone. */
  readonly collectorId?: string | undefined;
  /** The token's public id; over MQTT alone. */
  readonly tokenId?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** A link over the protocol that the address names. It connects when it is first used. Throws TypeError if something is missing. */
export function openLink({ url, token, collectorId, tokenId, fetch, clock = systemClock }: LinkOptions): Link {
  // Otherwise, an address with a typing error would look like a server that is away.
  if (!URL.canParse(url)) throw new TypeError(`not an address: ${url}`);
  const { protocol } = new URL(url);
  if (protocol === 'http:' || protocol === 'https:') return createHttpLink({ url, token, clock, fetch });
  if (protocol !== 'mqtt:' && protocol !== 'mqtts:') throw new TypeError(`neither http, https, mqtt nor mqtts: ${url}`);
  if (collectorId === undefined || tokenId === undefined) throw new TypeError('MQTT needs collectorId and tokenId');
  return createMqttLink({ url, collectorId, tokenId, token, clock });
}
