import { timerPause } from '@helioport/sdk';
import { backfill, createCollector, createPlant, reportLive, STEP_MS } from '@helioport/simulator';
import type { Register } from '../context.ts';
import { UsageFault } from '../installation/faults.ts';
import { httpAddress } from '../signing/request-arguments.ts';
import { simulatedPlants, type SimulateOptions } from './simulated-plants.ts';
import { stopSignal } from '../installation/stop-signal.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;
/** The time at which the counters of every simulation start, so that a later run continues those of an earlier one. */
const MODEL_START = Date.UTC(2025, 0, 1);

/** `helioport simulate`: acts as collectors that report simulated plants to a gateway. */
export const registerSimulate: Register = (program, context) => {
  program
    .command('simulate')
    .description('report simulated plants to a gateway: past days first, then live')
    .argument('[file]', 'JSON: [{"token": "...", "specification": {...}}], one entry per collector; default: one plant, from the options')
    .option('--gateway-url <url>', 'address of the gateway; default: from the settings')
    .option('--days <n>', `past days to report first, at most ${MOST_DAYS}`, '0')
    .option('--once', 'stop once the past days have been reported')
    .option('--token <token>', 'the collector’s token; default: HELIOPORT_COLLECTOR_TOKEN')
    .option('--inverter <sn>', 'serial number of a string inverter')
    .option('--storage <sn>', 'serial number of a storage inverter')
    .option('--meter <sn>', 'serial number of an energy meter')
    .option('--weather <sn>', 'serial number of a weather station')
    .option('--kwp <n>', 'rated power of the modules', '10')
    .option('--latitude <degrees>', 'latitude of the plant; north is positive', '48.1')
    .option('--longitude <degrees>', 'longitude of the plant; east is positive', '11.6')
    .option('--time-zone <zone>', 'IANA time zone of the plant', 'Europe/Berlin')
    .option('--seed <n>', 'seed of the simulated weather', '1')
    .action(async (file: string | undefined, options: SimulateOptions & { gatewayUrl?: string; days: string; once?: true }) => {
      const days = Number(options.days);
      if (!(Number.isInteger(days) && days >= 0 && days <= MOST_DAYS)) throw new UsageFault(`--days takes a whole number from 0 to ${MOST_DAYS}`);
      const { host, gatewayPort } = context.config();
      const gatewayUrl = options.gatewayUrl === undefined ? `http://${host}:${gatewayPort}` : httpAddress(options.gatewayUrl, '--gateway-url');
      const stop = new AbortController();
      const { signal } = stop;
      const entries = simulatedPlants(file, options, context.environment).map(({ token, specification }) => ({
        plant: createPlant(specification, MODEL_START),
        collector: createCollector({ gatewayUrl, token, signal }),
      }));
      if (!options.once) void stopSignal().then(() => stop.abort());

      const now = context.clock.now();
      const sum = await backfill(entries, now - Math.max(days * DAY_MS, STEP_MS), now).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!sum) return;
      const text = `${sum.accepted} readings accepted, ${sum.duplicate} already known, ${sum.refused} refused`;
      if (options.once) {
        context.print(sum, text);
        if (sum.refused > 0) context.fail();
        return;
      }
      context.note(`${text}; reporting every ${STEP_MS / 60_000} minutes until Ctrl-C`);
      await reportLive(entries, { clock: context.clock, pause: timerPause, signal });
    });
};
