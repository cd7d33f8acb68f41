import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlantSpecification, Setting } from '@helioport/simulator';
import { readNamedText } from '../../../platform/kernel/files/read-file.ts';
import type { Config } from '../../../platform/config/load.ts';
import { CliCommandFault } from '../installation/faults.ts';

/** A simulated plant and the collector that reports for it. */
export interface DemoPlant {
  /** Absent if an earlier version created the demo. */
  readonly plantId?: string;
  readonly name: string;
  readonly collectorSn: string;
  readonly token: string;
  /** What the collector needs for MQTT; absent if it uses HTTP. */
  readonly mqtt?: { readonly collectorId: string; readonly tokenId: string };
  readonly specification: PlantSpecification;
  /** Its scenarios, as text; their times count from the start of the simulation. Absent if an earlier version created the demo. */
  readonly scenarios?: readonly string[];
}

/** The credentials of the demo's application. */
export interface DemoApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The facts that a demo remembers, so that every start prints the same users and key and continues with the same plants. */
export interface DemoCredentials {
  readonly people: readonly {
    readonly email: string;
    readonly password: string;
    readonly role: string;
  }[];
  readonly keyId: string;
  readonly keySecret: string;
  /** Time of the first reading, where the simulation begins, epoch milliseconds. */
  readonly startAt: number;
  /** Up to when the collectors are known to have reported, epoch milliseconds; null = they have not reported yet. */
  readonly reportedUntilAt: number | null;
  readonly plants: readonly DemoPlant[];
  /** The application that controls a battery. Absent if an earlier version created the demo. */
  readonly application?: DemoApplication;
  /** Settings made on the inverters, oldest first, which are kept as on real ones. Absent if there are none. */
  readonly settings?: readonly Setting[];
}

const demoFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'demo.json');

/** The demo of this data folder, if it has one. Throws CommandFault when the file cannot be read. */
export function findDemo(config: Pick<Config, 'dataDir'>): DemoCredentials | undefined {
  const file = demoFile(config);
  try {
    return JSON.parse(readNamedText(file)) as DemoCredentials;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CliCommandFault(`${file} cannot be read (${code ?? 'not JSON'})`);
  }
}

/**
 * Writes the demo's file. Only its owner can read it, since it holds secrets; and it
 * is written under another name and then renamed, so that it is never incomplete.
 */
export function saveDemo(config: Pick<Config, 'dataDir'>, demo: DemoCredentials): void {
  const file = demoFile(config);
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
