import { readNamedFile } from '../../../platform/kernel/files/read-file.ts';
import { DAY_MS } from '@helioport/contract/durations';
import { expiryOf } from '../../../platform/kernel/surroundings/certificate.ts';
import type { CliContext } from '../context.ts';
import { faultFinding, ok, warning, type DoctorFinding } from './finding.ts';

/** Certificates are usually renewed a month before they expire. */
const SOON_DAYS = 14;

/** Whether the certificate for MQTT, embedded or external, can be read, and until when it is valid. */
export async function checkCertificate(context: CliContext): Promise<DoctorFinding> {
  const { mqttTlsCert } = context.config();
  if (mqttTlsCert === null) return ok('HELIOPORT_MQTT_TLS_CERT is not set: MQTT without TLS');
  let expiresAt: number;
  try {
    expiresAt = expiryOf(readNamedFile(mqttTlsCert));
  } catch (error) {
    return faultFinding(
      `${mqttTlsCert} cannot be read: ${(error as Error).message}; HELIOPORT_MQTT_TLS_CERT names it, and the user of the server must be able to read it`,
    );
  }
  return expiryFinding(mqttTlsCert, expiresAt, context.clock.now());
}

/** Judges when a certificate expires. */
export function expiryFinding(name: string, expiresAt: number, now: number): DoctorFinding {
  const days = Math.floor((expiresAt - now) / DAY_MS);
  const text = `${name}, valid until ${new Date(expiresAt).toISOString()}`;
  if (days < 0) return faultFinding(`${text}: it has expired; renew it, then reload the server`);
  return days < SOON_DAYS ? warning(`${text}: renew it, then reload the server`) : ok(text);
}
