/** The largest answer that is read; a day of readings with all values has some 2 MB. */
const BYTES_AT_MOST = 32 * 1024 * 1024;

/** `fetch` that rejects answers too large to be held. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_AT_MOST)
      throw new Error(`the answer is larger than ${BYTES_AT_MOST / 1024 / 1024} MiB`);
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  const { status, headers } = response;
  return new Response(bytes === 0 ? null : new Blob(chunks), { status, headers });
};
