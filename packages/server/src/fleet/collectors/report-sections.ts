/** The lists of a report, and how many elements each may have. */
export const sectionLimits = { readings: 10_000, alarms: 1_000, devices: 1_000 } as const;

export type ReportSection = keyof typeof sectionLimits;

export const isReportSection = (name: string): name is ReportSection =>
  Object.hasOwn(sectionLimits, name);

/** Maximum size of a report in bytes, both as sent and after decompression. */
export const REPORT_BYTES = 8 * 1024 * 1024;

/** Maximum size of a list element in bytes; a reading with every existing quantity takes a quarter of it. */
export const ELEMENT_BYTES = 16 * 1024;

/** Stands for an unreadable element, so that the others keep their index. */
export class UnreadableSection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export const TOO_LONG = new UnreadableSection(
  `a reading, alarm or device may have at most ${ELEMENT_BYTES / 1024} KiB`,
);

/** Receives the elements of a report. */
export interface SectionSink {
  /** Counts further elements before they are parsed. Throws tooLarge if there are too many. */
  count(part: ReportSection, amount: number): void;
  take(part: ReportSection, elements: readonly unknown[]): void;
  /** Takes a value beside the lists. */
  takeBeside(name: string, value: unknown): void;
}

/** Splits a document into elements, chunk by chunk. Both methods throw malformedRequest, and what the sink throws. */
export interface Splitter {
  write(chunk: Uint8Array): void;
  /** To be called at the end of the document. */
  end(): void;
}
