/** Faults of a file, each with its line. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
