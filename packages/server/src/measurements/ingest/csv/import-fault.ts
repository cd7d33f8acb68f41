/** A file or an option that does not fit the other, explained in one sentence. */
export class MappingFault extends Error {
  override readonly name = 'MappingFault';
}
