import type { Fields, SourcePart } from '@helioport/devices/sources';
import type { Clock, Pause } from '../clock.ts';

/** A device behind an address, and what it has shown at one moment. */
export interface SourceDevice {
  /** Null: it tells none. */
  readonly sn: string | null;
  readonly part: SourcePart;
  readonly model: string;
  readonly firmware?: string;
  readonly ratedPowerW?: number;
  readonly fields: Fields;
  /** What its own clock showed, epoch milliseconds. */
  readonly clockAt?: number;
}

/** What was behind an address at one moment; the first device is the main one. */
export interface SourceReading {
  /** Epoch milliseconds; absent: now. */
  readonly at?: number;
  readonly devices: readonly SourceDevice[];
}

/** Something that names its values itself: a meter that writes telegrams, a device with a web interface or a broker. */
export interface Source {
  readonly counters: Readonly<SourceCounters>;
  /** Rejects with an Error whose message names cause and remedy. */
  read(signal: AbortSignal): Promise<SourceReading>;
  /** Gives the connection back; the next reading opens it again. */
  release(): void;
}

export interface SourceCounters {
  timeouts: number;
  /** Messages that were broken, or cannot be understood. */
  strays: number;
  reconnects: number;
}

/** Who asks, if the device wants to know. */
export interface Credentials {
  readonly user: string;
  /** Read when it is needed, so that it can change. Throws an Error with the reason. */
  readonly password: () => string;
  /** Whether it may be sent so that others in the network can read it. */
  readonly isReadable?: boolean;
}

/** What one channel of a meter measures. */
export type Measures = 'grid' | 'production' | 'nothing';
const MEASURES: readonly unknown[] = ['grid', 'production', 'nothing'] satisfies Measures[];
export const isMeasures = (value: unknown): value is Measures => MEASURES.includes(value);

/** What the file says of a source beside its address. */
export interface SourceSettings {
  readonly credentials?: Credentials | undefined;
  /** What each channel measures. */
  readonly measures?: readonly Measures[] | undefined;
}

export interface SourceSurroundings extends SourceSettings {
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Why a source has given nothing; the message names cause and remedy. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  /** Whether it is surely of the kind that was asked for, and lacks something. */
  isRecognized = false;
}

/** Carries out what follows the recognition of a device: whatever is wrong, it is known what it is. */
export async function recognized<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SourceFault) error.isRecognized = true;
    throw error;
  }
}
