import { StorageAway } from '../../platform/storage/away.ts';

/** The engine of the series cannot be used; the message is one sentence for the person who runs the server. */
export class SeriesFault extends Error {
  override readonly name = 'SeriesFault';
}

/** Too little of the engine answers for now; what was asked may have been carried out. */
export class SeriesAway extends StorageAway {
  override readonly name = 'SeriesAway';
}
