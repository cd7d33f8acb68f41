/** A statement came after its transaction had been rolled back, from code that nobody waits for any more. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
}
