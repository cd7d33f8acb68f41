/** A statement was sent after its transaction had been rolled back. Nobody waits for the result of the code that sent it. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
}
