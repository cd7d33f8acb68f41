import { systemClock, type Clock } from './clock.ts';
import { createHttpLink } from './http/http-link.ts';
import type { Link } from './link.ts';
import { createMqttLink } from './mqtt/mqtt-link.ts';

/** The server's address and the collector's credentials; `helioport collector add --json` prints the latter. */
export interface LinkOptions {
  /** `http://` or `https://` for the gateway, `mqtt://` or `mqtts://` for the broker. */
  readonly url: string;
  readonly token: string;
  /** The collector's id; only for MQTT. */
  readonly collectorId?: string | undefined;
  /** The token's public id; only for MQTT. */
  readonly tokenId?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** Creates a link for the protocol of the address. It connects when it is first used. Throws TypeError for a bad address or a missing id. */
export function openLink({
  url,
  token,
  collectorId,
  tokenId,
  fetch,
  clock = systemClock,
}: LinkOptions): Link {
  // Otherwise, a mistyped address would look like a server that is away.
  if (!URL.canParse(url)) throw new TypeError(`not an address: ${url}`);
  const { protocol } = new URL(url);
  if (protocol === 'http:' || protocol === 'https:')
    return createHttpLink({ url, token, clock, fetch });
  if (protocol !== 'mqtt:' && protocol !== 'mqtts:')
    throw new TypeError(`an address begins with http, https, mqtt or mqtts, unlike ${url}`);
  if (collectorId === undefined || tokenId === undefined)
    throw new TypeError('MQTT needs collectorId and tokenId');
  return createMqttLink({ url, collectorId, tokenId, token, clock });
}
