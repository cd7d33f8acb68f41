/** The Content-Types that count as JSON. */
export const JSON_MEDIA = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;
