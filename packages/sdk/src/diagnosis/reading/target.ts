/** Path and query of an address, as they are sent: neither decoded nor simplified. */
export function targetOf(url: string): string {
  const [, rest = ''] = /^(?:[a-z]+:\/\/)?[^/?#]*(.*)$/is.exec(url) ?? [];
  const target = url.startsWith('/') ? url : rest;
  const [whole = ''] = target.split('#');
  return whole.startsWith('/') ? whole : `/${whole}`;
}
