import { statusFile } from '../run.ts';
import { readStatus, type SiteStatus } from '../status.ts';
import { loadConfig } from './config-file.ts';
import { CommandFault, type CommandContext } from './surroundings.ts';
import { shownTime, table } from './table.ts';
import { watch } from './watch.ts';

/** A state that is older than this is of a collector that no longer runs. */
const STALE_MS = 60_000;

/** `collect status`: shows the state of the collector that runs with the file. */
export async function statusCommand(context: CommandContext): Promise<void> {
  const config = loadConfig(context);
  await watch(context, async () => {
    const status = readStatus(statusFile(config));
    if (!status)
      throw new CommandFault('no collector has run with this file yet: start it with run');
    const isRunning = context.clock.now() - status.at < STALE_MS;
    context.print({ running: isRunning, ...status }, () => shown(status, isRunning));
    if (!isRunning && context.options['watch'] !== true)
      throw new CommandFault(
        `the collector does not run; its last sign of life is of ${shownTime(status.at)}`,
      );
  });
}

function shown(status: SiteStatus, isRunning: boolean): string {
  const { devices, sticks, waiting, setback, lastDeliveredAt, gateway, pid, startedAt } = status;
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return [
    `${isRunning ? `running as process ${pid} since ${shownTime(startedAt)}` : 'not running'}, reporting to ${gateway}`,
    `last delivered ${shownTime(lastDeliveredAt) ?? 'never'}; ${waiting} reports wait${setback === null ? '' : `: ${setback}`}`,
    '',
    table(
      [
        'address',
        'device',
        'serial number',
        'state',
        'since',
        'writes',
        'W',
        'timeouts',
        'strays',
        'reconnects',
        'dropped',
      ],
      devices.map((one) => [
        one.address,
        one.model,
        one.sn,
        one.state,
        shownTime(one.since),
        one.control ? 'yes' : 'read-only',
        one.values['acPowerW'],
        one.timeouts,
        one.strays,
        one.reconnects,
        sum(one.dropped),
      ]),
    ),
    ...devices.flatMap(({ sn, held = [] }) =>
      held.map(
        ({ parameter, value, until }) =>
          `${sn}: ${parameter} is held at ${value} until ${shownTime(until)}`,
      ),
    ),
    ...devices.flatMap(({ fault }) => (fault === null ? [] : [fault])),
    ...(sticks === null
      ? []
      : [
          `sticks: ${sticks.frames} frames, ${sticks.kept} kept ones, ${sticks.undated} undated, ` +
            `${sticks.repeated} repeated, ${sticks.dropped} values dropped, ${sticks.refused} refused`,
          ...(sticks.strangers.length > 0
            ? [
                `sticks that may not report: ${sticks.strangers.join(', ')}; name them as listen.sticks`,
              ]
            : []),
        ]),
  ].join('\n');
}
