/** The lists of a report, and how many elements each may have. */
export const partLimits = { readings: 10_000, alarms: 1_000, devices: 1_000 } as const;

export type PartName = keyof typeof partLimits;

export const isPartName = (name: string): name is PartName => Object.hasOwn(partLimits, name);

/** No report is larger, as sent and inflated. */
export const REPORT_BYTES = 8 * 1024 * 1024;

/** No element of a list is larger; a reading with every quantity that there is has a quarter of that. */
export const ELEMENT_BYTES = 16 * 1024;

/** Stands for an element that cannot even be read, so that the others keep their places. */
export class Unreadable {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export const TOO_LONG = new Unreadable(`a reading, alarm or device has at most ${ELEMENT_BYTES / 1024} KiB`);

/** Where the elements of a report go. */
export interface PartSink {
  /** So many more are coming: said before they are built. Throws tooLarge. */
  count(part: PartName, amount: number): void;
  take(part: PartName, elements: readonly unknown[]): void;
}

/** Cuts a document into elements, piece by piece. Both throw malformedRequest, and what the sink throws. */
export interface Splitter {
  write(chunk: Uint8Array): void;
  /** The document ends here. */
  end(): void;
}
