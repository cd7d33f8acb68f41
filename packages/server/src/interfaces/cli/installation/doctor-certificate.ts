import { readFileSync } from 'node:fs';
import { DAY_MS } from '@helioport/contract/durations';
import { expiryOf } from '../../../platform/kernel/surroundings/certificate.ts';
import type { CliContext } from '../context.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** Certificates are usually renewed a month before they expire. */
const SOON_DAYS = 14;

/** Whether the certificate of the embedded MQTT broker can be read, and until when it is valid. */
export async function checkCertificate(context: CliContext): Promise<Finding> {
  const { mqttTlsCert } = context.config();
  if (mqttTlsCert === null) return ok('HELIOPORT_MQTT_TLS_CERT is not set: MQTT without TLS');
  let expiresAt: number;
  try {
    expiresAt = expiryOf(readFileSync(mqttTlsCert));
  } catch (error) {
    return fault(`${mqttTlsCert} cannot be read: ${(error as Error).message}`);
  }
  const days = Math.floor((expiresAt - context.clock.now()) / DAY_MS);
  const text = `${mqttTlsCert}, valid until ${new Date(expiresAt).toISOString()}`;
  if (days < 0) return fault(`${text}: it has expired; renew it, then reload the server`);
  return days < SOON_DAYS ? warning(`${text}: renew it, then reload the server`) : ok(text);
}
