/** Why the product cannot start, in one sentence for the person who starts it. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
