import type { CliContext } from '../context.ts';
import { faultFinding, ok, type DoctorFinding } from './finding.ts';

/** Whether the external MQTT broker, if one is set, admits the server. */
export async function checkBroker(context: CliContext): Promise<DoctorFinding> {
  const { mqttUrl } = context.config();
  if (mqttUrl === null) return ok('the embedded one');
  const { tryBroker } = await import('../../edges/listeners/mqtt.ts');
  const wrong = await tryBroker(mqttUrl);
  const { host } = new URL(mqttUrl);
  return wrong === undefined
    ? ok(`${host} admits the server`)
    : faultFinding(`${host} cannot be used: ${wrong}`);
}

/** Whether the portal's app has been built. */
export async function checkPortal(context: CliContext): Promise<DoctorFinding> {
  if (!context.config().roles.includes('portal')) return ok('not served here');
  const { portalFault } = await import('../../edges/listeners/portal.ts');
  const wrong = portalFault();
  return wrong === undefined ? ok('built') : faultFinding(wrong);
}
