import type { Values } from '@helioport/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { openBacklog } from '../backlog/file-backlog.ts';
import { systemUptime, type Clock, type Pause } from '../clock.ts';
import { createCollector } from '../collector.ts';
import type { DeviceAccess, Instruction } from '../instruction.ts';
import { createHttpLink } from '../http/http-link.ts';
import { merged, type Report } from '../report.ts';
import { listenToSticks } from '../solarman/stick-listener.ts';
import { isBusEntry, isSourceEntry, type SiteConfig } from './config/site-config.ts';
import { createBusPool } from './device/bus-pool.ts';
import type { Control } from './device/control.ts';
import { createSiteDevice, type SiteDevice } from './device/site-device.ts';
import { openHeldValues } from './device/held-values.ts';
import { openUnreported } from './device/unreported.ts';
import { openWriteLog } from './device/write-log.ts';
import { askSerial } from './find/hello.ts';
import { createPushedDevices } from './pushed-devices.ts';
import { claim } from './running-lock.ts';
import { createSiteTime } from './site-time.ts';
import { setbackSentence } from './setback-sentence.ts';
import { readStatus, writeStatus, type SiteStatus } from './status.ts';
import { openTokenLink } from './token-link.ts';

export interface SiteSurroundings {
  readonly clock: Clock;
  /** Milliseconds since any instant; never set. */
  readonly uptime?: () => number;
  readonly pause: Pause;
  readonly random: () => number;
  /** Stops the collector. */
  readonly signal: AbortSignal;
  /** Says something to the person who watches. */
  readonly note: (text: string) => void;
}

const STATUS_MS = 10_000;
/** Without a word from the server for so long, devices are left to themselves. */
const SERVER_AWAY_MS = 900_000;

/** The file with the state of a running collector. */
export const statusFile = ({ dataFolder }: SiteConfig): string => join(dataFolder, 'status.json');

/** Collects until the signal aborts. Rejects if it cannot begin. */
export async function runSite(config: SiteConfig, surroundings: SiteSurroundings): Promise<void> {
  mkdirSync(config.dataFolder, { recursive: true });
  const release = claim(join(config.dataFolder, 'run.pid'));
  const ends: (() => unknown)[] = [release];
  try {
    await collectUntilStopped(config, surroundings, ends);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** `ends`: what has to be done in the end, the last first, however it comes. */
async function collectUntilStopped(
  config: SiteConfig,
  { clock: machineClock, uptime = systemUptime, pause, random, signal, note }: SiteSurroundings,
  ends: (() => unknown)[],
): Promise<void> {
  const before = readStatus(statusFile(config));
  const clock = createSiteTime({
    clock: machineClock,
    uptime,
    notBefore: before?.at ?? 0,
    deliver: (dated, urgency) => collector.report(dated, urgency),
  });
  const startedAt = clock.now();
  const log = openWriteLog(join(config.dataFolder, 'writes.json'), clock);
  const held = openHeldValues(join(config.dataFolder, 'held.json'), clock);
  const { gateway: url, collectorId, tokenId } = config;
  // The library for MQTT takes memory that small machines do not have to spare.
  const mqtt = url.startsWith('http') ? undefined : await import('../open-link.ts');
  const link = openTokenLink(
    () => readToken(config.tokenFile),
    (token) =>
      mqtt
        ? mqtt.openLink({ url, token, clock, collectorId, tokenId })
        : createHttpLink({ url, token, clock, onTime: clock.heard }),
  );
  const backlog = openBacklog(join(config.dataFolder, 'backlog.jsonl'));
  let devices: readonly SiteDevice[] = [];
  let [setback, lastDeliveredAt] = [null as string | null, null as number | null];
  const say = (text: string | null): void => {
    if (text !== null && text !== setback) note(text);
    if (text === null && setback !== null) note('reports are delivered again');
    setback = text;
  };
  const collector = createCollector({
    link,
    backlog,
    areApart: true,
    devices: accessTo(() => devices, pause),
    onDelivered: ({ receivedAt }) => {
      if (receivedAt !== undefined) clock.heard(receivedAt);
      lastDeliveredAt = clock.now();
      say(null);
    },
    onSetback: (one) => say(setbackSentence(one, config)),
    clock,
    uptime,
    pause,
  });
  ends.push(() => collector.close());

  const unreported = openUnreported(join(config.dataFolder, 'unreported.jsonl'));
  ends.push(() => unreported.close());
  if (unreported.left.length > 0) collector.report({ readings: unreported.left }, 'backlog');
  unreported.clear();

  const { solarman, sticks } = config.listen;
  const pushed = createPushedDevices({
    collector: clock,
    host: solarman ? `${solarman.host}:${solarman.port}` : '',
    isPolled: (sn) =>
      devices.some((device) => device.sn === sn && device.status().state === 'answering'),
  });
  const own = config.devices.flatMap(({ address }) =>
    address.kind === 'push' || (address.kind === 'v5' && address.serial > 0)
      ? [address.serial]
      : [],
  );
  const listener =
    solarman &&
    (await listenToSticks({
      ...solarman,
      clock,
      sticks: sticks.length === 0 ? [] : [...sticks, ...own],
      isTimeKnown: () => clock.isKnown,
      onReading: pushed.onReading,
    }).catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        `listen.solarman: ${solarman.host}:${solarman.port} cannot be used (${error.code ?? error.message}); ` +
          'another program may listen there, or the address is of another machine',
        { cause: error },
      );
    }));
  if (listener) ends.push(() => listener.close());

  const pool = createBusPool({
    clock,
    pause,
    random,
    ...(listener && { dialStick: listener.dial }),
  });
  ends.push(() => pool.close());
  const common = {
    clock,
    pause,
    random,
    before: (sn: string) => before?.devices.find((device) => device.sn === sn),
    isTimeKnown: () => clock.isKnown,
    // A time that is not known yet means nothing to the next process.
    keep(sn: string, values: Values, at: number) {
      if (clock.isKnown) unreported.keep(sn, values, at);
    },
    onFirstAnswer: () => report(true),
  };
  const sources = config.devices.filter(isSourceEntry);
  // What only some sites need takes no memory at the others.
  const code = sources.length > 0 ? await import('./device/source-device.ts') : undefined;
  devices = [
    ...config.devices.filter(isBusEntry).map((entry) =>
      createSiteDevice({
        ...common,
        entry,
        pool,
        log,
        held,
        isServerThere: () =>
          clock.now() - (lastDeliveredAt ?? -Infinity) <
          Math.max(SERVER_AWAY_MS, 3 * config.reportMs),
        askSerial: (host) => askSerial(host, pause),
      }),
    ),
    ...sources.map((entry) => code!.createSourceDevice({ ...common, entry })),
  ];

  /** What is wrong with one part must not stop the others. */
  const failed = (error: unknown): void =>
    note(`the collector itself has failed, and goes on: ${(error as Error).message}`);

  function report(isDescribed: boolean): void {
    const reports = devices.flatMap((device) => {
      try {
        return device.takeReports(isDescribed);
      } catch (error) {
        failed(error);
        return [];
      }
    });
    if (reports.length > 0) takeIn(merged(reports));
    unreported.clear();
  }

  /** What devices are needs no date, and the answer to it tells the time. */
  function takeIn({ devices: described, ...dated }: Report): void {
    const isWhole = described === undefined || clock.isKnown;
    if (!isWhole) collector.report({ devices: described });
    clock.report(isWhole && described ? { ...dated, devices: described } : dated, 'live');
  }

  const statusNow = (): SiteStatus => ({
    at: clock.now(),
    pid: process.pid,
    startedAt,
    gateway: config.gateway,
    waiting: backlog.waiting,
    lastDeliveredAt,
    setback,
    devices: devices.flatMap((device) => [device.status(), ...device.others()]),
    sticks: listener ? { ...listener.counters, strangers: listener.strangers } : null,
  });

  async function repeat(everyMs: number, act: () => unknown): Promise<void> {
    while (!signal.aborted) {
      await pause(everyMs - (clock.now() % everyMs), signal).catch(() => {});
      try {
        await act();
      } catch (error) {
        failed(error);
      }
    }
  }

  let diskFault: string | undefined;
  const keepStatus = (): void => {
    try {
      writeStatus(statusFile(config), statusNow());
      diskFault = undefined;
    } catch (error) {
      const text =
        `the state cannot be kept in ${config.dataFolder}: ${(error as Error).message}; ` +
        'make room on its disk, or let this user write there';
      if (text !== diskFault) note(text);
      diskFault = text;
    }
  };

  async function lookAgain(): Promise<void> {
    const now = clock.now();
    for (const written of log.due(now)) {
      const device = devices.find(({ sn }) => sn === written.sn);
      if (device)
        await device.lookAgain(written).then(
          () => log.forget(written),
          () => log.expect({ ...written, lookAt: now + MINUTE_MS }),
        );
      // After a start, it may not have been reached yet.
      else if (now - written.lookAt > DAY_MS) log.forget(written);
    }
  }

  keepStatus();
  const noted = new Map<string, string | null>();
  const tellStates = (): void => {
    for (const { address, sn, model, state, fault } of devices.map((device) => device.status())) {
      const text = state === 'answering' ? `${address}: ${model} ${sn} answers` : fault;
      if (text !== null && state !== 'starting' && noted.get(address) !== text) note(text);
      noted.set(address, text);
    }
  };
  let describedAt = startedAt;
  // A silent device is to be seen as such at once.
  const states = (): string => devices.map((device) => device.status().state).join();
  let describedStates = states();
  ends.push(() => {
    report(false);
    keepStatus();
  });
  await Promise.all([
    ...devices.map((device) => device.run(signal)),
    repeat(config.reportMs, () => {
      const isDescribed = clock.now() - describedAt >= HOUR_MS || states() !== describedStates;
      if (isDescribed) [describedAt, describedStates] = [clock.now(), states()];
      report(isDescribed);
    }),
    repeat(STATUS_MS, async () => {
      clock.check();
      keepStatus();
      tellStates();
      await lookAgain().catch((error) => note(`writes are not looked at again: ${error.message}`));
    }),
  ]);
}

/** Why the token cannot be read; the message is for the person who set the collector up. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

export function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TokenFault(
      code === 'ENOENT'
        ? `there is no token in ${file}: put the one there that the portal, or helioport collector add, has shown`
        : `the token in ${file} cannot be read: ${code}`,
      { cause: error },
    );
  }
  if (!/^[\x21-\x7e]{8,512}$/.test(text))
    throw new TokenFault(`${file} holds no token: it is one word, as the portal has shown it`);
  return text;
}

const LOOK_EVERY_MS = 250;

/** After a start, an instruction waits until its device has been reached, for as long as it may begin. */
function accessTo(devices: () => readonly SiteDevice[], pause: Pause): DeviceAccess {
  async function control({ sn, withinSeconds }: Instruction): Promise<Control> {
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
      const device = devices().find(
        (one) => one.sn === sn || one.others().some((other) => other.sn === sn),
      );
      if (device) return device.control();
      const isStarting = devices().some((one) => one.status().state === 'starting');
      if (!isStarting || waitedMs >= withinSeconds * 1000)
        throw new Error(`the collector has not reached a device ${sn}`);
      await pause(LOOK_EVERY_MS);
    }
  }
  return {
    read: async (instruction) => (await control(instruction)).read(instruction),
    write: async (instruction) => (await control(instruction)).write(instruction),
  };
}
