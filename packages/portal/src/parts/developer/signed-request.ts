interface ToSign {
  readonly userApiUrl: string;
  readonly keyId: string;
  readonly keySecret: string;
  /** By default, a request that lists plants. */
  readonly apiPath?: string;
  readonly body?: string;
}

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Commands that sign a request and send it, as in docs/signing.md; they need curl and openssl. */
export const signedRequest = ({
  userApiUrl,
  keyId,
  keySecret,
  apiPath = '/v1/api/userStationList',
  body = '{"pageNo":1,"pageSize":20}',
}: ToSign): string => `BASE_URL=${quoted(userApiUrl)}
KEY_ID=${quoted(keyId)}
KEY_SECRET=${quoted(keySecret)}
API_PATH=${quoted(apiPath)}
BODY=${quoted(body)}

CONTENT_MD5=$(printf '%s' "$BODY" | openssl dgst -md5 -binary | openssl base64)
CONTENT_TYPE='application/json;charset=UTF-8'
DATE=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
SIGN=$(printf 'POST\\n%s\\n%s\\n%s\\n%s' "$CONTENT_MD5" "$CONTENT_TYPE" "$DATE" "$API_PATH" |
  openssl dgst -sha1 -hmac "$KEY_SECRET" -binary | openssl base64)

curl -sS "$BASE_URL$API_PATH" \\
  -H "Content-MD5: $CONTENT_MD5" \\
  -H "Content-Type: $CONTENT_TYPE" \\
  -H "Date: $DATE" \\
  -H "Authorization: API $KEY_ID:$SIGN" \\
  --data-binary "$BODY"
`;
