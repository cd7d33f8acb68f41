/** The Content-Types that count as JSON: parameters may be empty (RFC 9110 5.6.6), and UTF-8 is also spelled without its hyphen. */
export const JSON_MEDIA =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;
