interface ToSign {
  readonly userApiUrl: string;
  readonly keyId: string;
  readonly keySecret: string;
}

/** Commands that sign a request and send it, as in docs/signing.md; they need curl and openssl. */
export const signedRequest = ({ userApiUrl, keyId, keySecret }: ToSign): string => `BASE_URL='${userApiUrl}'
KEY_ID='${keyId}'
KEY_SECRET='${keySecret}'
API_PATH='/v1/api/userStationList'
BODY='{"pageNo":1,"pageSize":20}'

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
