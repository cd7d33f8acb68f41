import type { BusAddress } from '../../bus/address.ts';
import type { Measures } from '../../sources/source.ts';
import { isSource, type DeviceAddress, type SourceAddress } from '../../sources/source-address.ts';

/** A device in collect.yaml. */
export interface DeviceEntry {
  readonly address: DeviceAddress;
  /** Number of the device on its bus; found out if absent. */
  readonly unit?: number;
  /** Whether it may be written to. */
  readonly control: boolean;
  /** Whether its only connection is given back after each round. */
  readonly share: boolean;
  /** Its serial number, if it does not tell it. */
  readonly sn?: string;
  /** Ids of values and parameters with doubtful registers that somebody has checked on this device. */
  readonly confirmed: ReadonlySet<string>;
  /** Time between two rounds, milliseconds, if other than usual. */
  readonly pollMs?: number;
  /** Who asks, for a device that wants to know; `passwordFile` holds the password. */
  readonly user?: string;
  readonly passwordFile?: string;
  /** Whether others in the network may read the password, as with a device that knows nothing better. */
  readonly isPasswordReadable?: boolean;
  /** What each channel of a meter measures. */
  readonly measures?: readonly Measures[];
  /** Where it stands in the file. */
  readonly line: number;
}

/** A device that is asked by its registers. */
export type BusEntry = DeviceEntry & { readonly address: BusAddress };

/** A device that names its values itself. */
export type SourceEntry = DeviceEntry & { readonly address: SourceAddress };

export const isSourceEntry = (entry: DeviceEntry): entry is SourceEntry => isSource(entry.address);
export const isBusEntry = (entry: DeviceEntry): entry is BusEntry => !isSource(entry.address);

/** Where sticks are listened to. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** The contents of collect.yaml. */
export interface SiteConfig {
  readonly gateway: string;
  readonly tokenFile: string;
  /** Only for MQTT. */
  readonly collectorId?: string;
  readonly tokenId?: string;
  /** Time between two reports of a device, milliseconds. */
  readonly reportMs: number;
  /** Folder for the backlog, the state and the count of writes. */
  readonly dataFolder: string;
  readonly devices: readonly DeviceEntry[];
  readonly listen: {
    readonly solarman?: Listen;
    /** Serial numbers of the sticks that may report; all if there are none. */
    readonly sticks: readonly number[];
  };
}
