/** The engine of the series cannot be used; the message is one sentence for the person who runs the server. */
export class SeriesFault extends Error {
  override readonly name = 'SeriesFault';
}
