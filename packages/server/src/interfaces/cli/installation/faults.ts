/** The command was used wrongly: exit code 2. */
export class CliUsageFault extends Error {
  override readonly name = 'UsageFault';
}

/** The command could not do what was asked, for a reason that fits into one sentence: exit code 1. */
export class CliCommandFault extends Error {
  override readonly name = 'CommandFault';
}
