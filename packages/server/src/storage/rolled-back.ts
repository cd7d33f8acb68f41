/** A statement was sent after its transaction had been rolled back, by code whose result nobody waits for any more. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
}
