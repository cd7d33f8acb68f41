import { readSourceMap } from '@helioport/devices/sources';
import { connect, type MqttClient } from 'mqtt';
import { boundPackets } from '../../mqtt/bounded-packets.ts';
import { textOf } from '../http/host-client.ts';
import { deviceAddressText, type HostAddress } from '../source-address.ts';
import {
  recognized,
  SourceFault,
  type Source,
  type SourceCounters,
  type SourceDevice,
  type SourceSurroundings,
} from '../source.ts';
import { readPublished } from './topics.ts';

/** The values of a service, by their paths; null: not there. */
type Service = Map<string, number | string | null>;

/** What a broker has said since its keep-alive was asked for. */
interface State {
  portal: string | undefined;
  /** By `service/instance`. */
  readonly services: Map<string, Service>;
  /** Whether everything has been said once. */
  isComplete: boolean;
}

const CONNECT_MS = 5_000;
/** To find out the number of the portal, and for everything to be said. */
const [ANSWER_MS, SAID_MS] = [10_000, 5_000];
/** The device stops after 60 s without a keep-alive. */
const [RENEW_MS, LAPSED_MS] = [20_000, 55_000];
/** Everything is asked for again, so that nothing stays that nobody says any more. */
const AGAIN_MS = 300_000;
const SERVICES_AT_MOST = 20;
const PATHS_AT_MOST = 500;
const PACKET_BYTES = 262_144;
const SUBSCRIPTIONS = ['N/+/system/0/#', 'N/+/grid/+/#', 'N/+/full_publish_completed'];
const ONLY_KEEP = '{"keepalive-options":["suppress-republish"]}';

const nothingSaid = (portal?: string): State => ({
  portal,
  services: new Map(),
  isComplete: false,
});

/** A system with a GX device, over the broker on it. */
export function openVictron(
  address: HostAddress,
  { credentials, clock, pause }: SourceSurroundings,
): Source {
  const { parts } = readSourceMap('victron');
  const name = deviceAddressText(address);
  const counters: SourceCounters = { timeouts: 0, strays: 0, reconnects: 0 };
  let client: MqttClient | undefined;
  let state = nothingSaid();
  let [askedAt, renewedAt] = [-Infinity, -Infinity];
  let wake: (() => void) | undefined;

  function take(topic: string, payload: Buffer): void {
    const published = readPublished(topic, payload);
    if (!published) return void counters.strays++;
    if ('completed' in published) {
      if (published.completed === state.portal) state.isComplete = true;
    } else {
      const { portal, service, instance, path, value } = published;
      state.portal ??= portal;
      if (portal !== state.portal) return;
      const key = `${service}/${instance}`;
      const values = state.services.get(key) ?? new Map<string, number | string | null>();
      if (state.services.size < SERVICES_AT_MOST) state.services.set(key, values);
      if (value === undefined) values.delete(path);
      else if (values.size < PATHS_AT_MOST || values.has(path)) values.set(path, value);
    }
    wake?.();
  }

  /** Waits until something is so, or the time is over. */
  async function until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<boolean> {
    const isDone = new AbortController();
    const limit = pause(ms, AbortSignal.any([signal, isDone.signal])).then(
      () => 'over',
      () => 'over',
    );
    while (!isSo()) {
      const said = new Promise<string>((resolve) => (wake = () => resolve('said')));
      if ((await Promise.race([limit, said])) === 'over') break;
    }
    wake = undefined;
    isDone.abort();
    return isSo();
  }

  async function open(signal: AbortSignal): Promise<MqttClient> {
    state = nothingSaid();
    [askedAt, renewedAt] = [-Infinity, -Infinity];
    const opened = connect({
      host: address.host,
      port: address.port,
      protocol: 'mqtt',
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      ...(credentials && { username: credentials.user, password: credentials.password() }),
    });
    let reason: Error | undefined;
    const abort = (): void => void opened.end(true);
    signal.addEventListener('abort', abort, { once: true });
    boundPackets(opened, PACKET_BYTES);
    opened.on('message', take);
    opened.on('error', (error) => (reason = error));
    const limit = setTimeout(() => {
      reason = new Error('it does not let subscribe');
      opened.end(true);
    }, 2 * CONNECT_MS);
    await new Promise<void>((resolve, reject) => {
      opened.once('close', () => {
        clearTimeout(limit);
        signal.removeEventListener('abort', abort);
        opened.end(true);
        if (client === opened) client = undefined;
        reject(connectFault(reason));
        wake?.();
      });
      opened.once('connect', () =>
        opened.subscribe(SUBSCRIPTIONS, { qos: 0 }, (error) => {
          clearTimeout(limit);
          if (!error) return resolve();
          reason = error;
          opened.end(true);
        }),
      );
    });
    return (client = opened);
  }

  function connectFault(cause: (Error & { code?: unknown }) | undefined): SourceFault {
    counters.reconnects++;
    if (cause?.code === 'ECONNREFUSED')
      return new SourceFault(
        `${name} is closed: on the GX device, switch on MQTT under Settings, Services (or Integrations)`,
        { cause },
      );
    if (cause?.code === 4 || cause?.code === 5)
      return new SourceFault(
        `${name} refuses the connection; with a security profile, write password-file: FILE, or allow plain MQTT`,
        { cause },
      );
    return new SourceFault(
      `${name} does not answer as a broker (${cause?.message ?? 'the connection was ended'})`,
      { cause },
    );
  }

  function silent(what: string): SourceFault {
    counters.timeouts++;
    release();
    return new SourceFault(`${name} ${what}`);
  }

  /** Keeps the device talking; after a pause, everything is said anew. */
  async function keepAlive(connection: MqttClient, signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const topic = `R/${state.portal}/keepalive`;
    // A clock that is set meanwhile counts as a pause.
    const isKept = now >= renewedAt && now - renewedAt < LAPSED_MS;
    if (isKept && now - askedAt < AGAIN_MS) {
      if (now - renewedAt < RENEW_MS) return;
      renewedAt = now;
      return void connection.publish(topic, ONLY_KEEP);
    }
    state = nothingSaid(state.portal);
    [askedAt, renewedAt] = [now, now];
    connection.publish(topic, '');
    // Older firmware does not say when it has said everything.
    await until(() => state.isComplete || client === undefined, SAID_MS, signal);
    if (signal.aborted) throw new SourceFault(`${name}: the collector was stopped`);
    if (!state.services.has('system/0')) throw silent('says nothing after a keep-alive');
  }

  function release(): void {
    const before = client;
    client = undefined;
    before?.end(true);
  }

  return {
    counters,
    release,
    async read(signal) {
      const connection = client ?? (await open(signal));
      if (!(await until(() => state.portal !== undefined, ANSWER_MS, signal)))
        throw silent('does not tell the number of its portal: is this a GX device?');
      await recognized(() => keepAlive(connection, signal));
      const { portal, services } = state;
      const system = services.get('system/0') ?? new Map();
      const devices: SourceDevice[] = [
        { sn: portal!, part: parts['system']!, model: 'Victron GX', fields: numbersOf(system) },
      ];
      for (const [key, values] of services) {
        if (!key.startsWith('grid/')) continue;
        const serial = textOf(values.get('Serial'))?.replaceAll(/[ ,]/g, '');
        const model = textOf(values.get('ProductName')) ?? 'meter';
        devices.push({
          sn: serial ?? `${portal}-${key.replace('/', '-')}`,
          part: parts['grid']!,
          model: `Victron ${model}`,
          fields: numbersOf(values),
        });
      }
      return { devices };
    },
  };
}

const numbersOf = (service: Service): Map<string, number> =>
  new Map([...service].filter((one): one is [string, number] => typeof one[1] === 'number'));
