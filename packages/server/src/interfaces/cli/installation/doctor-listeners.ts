import type { CliContext } from '../context.ts';
import { expiryFinding } from './doctor-certificate.ts';
import { faultFinding, ok, type DoctorFinding } from './finding.ts';

/** Whether the external MQTT broker, if one is set, admits the server. */
export async function checkBroker(context: CliContext): Promise<DoctorFinding> {
  const config = context.config();
  const { mqttUrl } = config;
  if (mqttUrl === null) return ok('the embedded one');
  const { tryBroker } = await import('../../edges/listeners/mqtt.ts');
  const { fault, expiresAt } = await tryBroker(mqttUrl, config);
  const { host } = new URL(mqttUrl);
  if (fault !== undefined)
    return faultFinding(
      `${host} cannot be used: ${fault}; see that it runs, that helioport mqtt access has written its users, and that HELIOPORT_MQTT_TLS_CA has signed its certificate`,
    );
  return expiresAt === undefined
    ? ok(`${host} admits the server`)
    : expiryFinding(`${host} admits the server; its certificate`, expiresAt, context.clock.now());
}

/** Whether the portal's app has been built. */
export async function checkPortal(context: CliContext): Promise<DoctorFinding> {
  if (!context.config().roles.includes('portal')) return ok('not served here');
  const { portalFault } = await import('../../edges/listeners/portal.ts');
  const wrong = portalFault();
  return wrong === undefined ? ok('built') : faultFinding(wrong);
}
