import { DAY_MS } from '@helioport/contract/durations';
import { NotAccepted, openLink, timerPause, type Setback } from '@helioport/collector';
import {
  backfill,
  createSite,
  reportLive,
  scenarioKinds,
  STEP_MS,
  type Backfill,
  type Site,
} from '@helioport/simulator';
import type { CliContext, RegisterCommand } from '../context.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { httpAddress } from '../signing/request-arguments.ts';
import { parametersOf } from './simulated-parameters.ts';
import { simulatedPlants, type SimulateOptions } from './simulated-plants.ts';
import { stopSignal } from '../installation/stop-signal.ts';

const MOST_DAYS = 366;
/** The time at which the counters of every simulation start, so that a later run continues those of an earlier one. */
const MODEL_START = Date.UTC(2025, 0, 1);

interface RunOptions extends SimulateOptions {
  gatewayUrl?: string;
  mqttUrl?: string;
  days: string;
  once?: true;
}

const collect = (text: string, before: string[]): string[] => [...before, text];

/** `helioport simulate`: acts as collectors that report simulated plants and carry out commands. */
export const registerSimulate: RegisterCommand = (program, context) => {
  program
    .command('simulate')
    .description(
      'act as collectors of simulated plants: report past days, then the present, and carry out commands',
    )
    .argument(
      '[file]',
      'JSON: [{"token": "...", "specification": {...}}], one entry per collector; default: one plant, from the options',
    )
    .option('--gateway-url <url>', 'address of the gateway; default: from the settings')
    .option(
      '--mqtt-url <url>',
      'address of the broker, to use MQTT instead; needs --collector-id and --token-id',
    )
    .option('--days <n>', `past days to report first, at most ${MOST_DAYS}`, '0')
    .option('--once', 'stop once the past days have been reported')
    .option('--token <token>', 'the collector’s token; default: HELIOPORT_COLLECTOR_TOKEN')
    .option('--collector-id <id>', 'the collector’s id, for MQTT')
    .option('--token-id <id>', 'the token’s public id, for MQTT')
    .option('--inverter <sn>', 'serial number of a string inverter')
    .option('--storage <sn>', 'serial number of a storage inverter')
    .option('--meter <sn>', 'serial number of an energy meter')
    .option('--epm <sn>', 'serial number of an EPM unit')
    .option('--weather <sn>', 'serial number of a weather station')
    .option(
      '--scenario <text>',
      `an event, such as "grid-outage after=10m for=1h"; may be repeated; one of ${Object.keys(scenarioKinds).join(', ')}`,
      collect,
      [],
    )
    .option('--kwp <n>', 'rated power of the modules', '10')
    .option('--latitude <degrees>', 'latitude of the plant; north is positive', '48.1')
    .option('--longitude <degrees>', 'longitude of the plant; east is positive', '11.6')
    .option('--time-zone <zone>', 'IANA time zone of the plant', 'Europe/Berlin')
    .option('--seed <n>', 'seed of the simulated weather', '1')
    .action(async (file: string | undefined, options: RunOptions) => {
      const days = Number(options.days);
      if (!(Number.isInteger(days) && days >= 0 && days <= MOST_DAYS))
        throw new CliUsageFault(`--days takes a whole number from 0 to ${MOST_DAYS}`);
      const sites = sitesOf(context, file, options);
      const stop = new AbortController();
      if (!options.once) void stopSignal().then(() => stop.abort());
      try {
        await run(context, sites, { days, once: options.once === true, signal: stop.signal });
      } catch (error) {
        throw error instanceof NotAccepted ? new CliCommandFault(error.message) : error;
      } finally {
        await Promise.all(sites.map(({ collector }) => collector.close()));
      }
    });
};

function sitesOf(context: CliContext, file: string | undefined, options: RunOptions): Site[] {
  const { clock } = context;
  const { host, gatewayPort } = context.config();
  const url =
    options.mqttUrl ??
    (options.gatewayUrl === undefined
      ? `http://${host}:${gatewayPort}`
      : httpAddress(options.gatewayUrl, '--gateway-url'));
  if (
    options.mqttUrl !== undefined &&
    !/^mqtts?:$/.test(URL.parse(options.mqttUrl)?.protocol ?? '')
  )
    throw new CliUsageFault('--mqtt-url takes an address such as mqtt://127.0.0.1:1883');
  const plants = simulatedPlants(file, options, context.environment, clock.now());
  if (
    options.mqttUrl !== undefined &&
    plants.some(({ collectorId, tokenId }) => collectorId === undefined || tokenId === undefined)
  )
    throw new CliUsageFault(
      'MQTT needs --collector-id and --token-id, or collectorId and tokenId in the file',
    );
  let last = '';
  const onSetback = ({ reason }: Setback): void => {
    if (reason !== last) context.note(reason);
    last = reason;
  };
  return plants.map(({ token, collectorId, tokenId, specification, scenarios }) => {
    const link = openLink({ url, token, collectorId, tokenId, clock });
    return createSite({
      specification,
      startAt: MODEL_START,
      link,
      scenarios,
      ...(!options.once && { parametersOf }),
      onSetback,
      clock,
    });
  });
}

interface Run {
  readonly days: number;
  readonly once: boolean;
  readonly signal: AbortSignal;
}

async function run(
  context: CliContext,
  sites: readonly Site[],
  { days, once, signal }: Run,
): Promise<void> {
  const now = context.clock.now();
  let sum: Backfill;
  try {
    sum = await backfill(sites, now - Math.max(days * DAY_MS, STEP_MS), now, { signal });
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const text = `${sum.accepted} readings accepted, ${sum.duplicate} already known, ${sum.refused} refused`;
  if (once) {
    context.print(sum, text);
    if (sum.refused > 0) context.fail();
    return;
  }
  context.note(`${text}; reporting every ${STEP_MS / 60_000} minutes until Ctrl-C`);
  await reportLive(sites, { clock: context.clock, pause: timerPause, signal });
}
