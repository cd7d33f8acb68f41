import { SIGNED_CONTENT_TYPE } from '@helioport/contract';

/** A program that makes one request, as text to copy. */
export interface Sample {
  readonly language: 'curl' | 'Python' | 'TypeScript';
  readonly text: string;
}

/** The request of a sample. */
export interface SampleRequest {
  /** Address of the interface. */
  readonly url: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Samples = (request: SampleRequest) => readonly Sample[];

const samples = (curl: string, python: string, typescript: string): readonly Sample[] => [
  { language: 'curl', text: curl },
  { language: 'Python', text: python },
  { language: 'TypeScript', text: typescript },
];

/** Signed requests; KEY_ID and KEY_SECRET come from the environment. interface S2 to S6 */
export const signedSamples: Samples = ({ url, path, body }) =>
  samples(
    `API_PATH=${shell(path)}
BODY=${shell(JSON.stringify(body))}
CONTENT_TYPE='${SIGNED_CONTENT_TYPE}'
CONTENT_MD5=$(printf '%s' "$BODY" | openssl dgst -md5 -binary | openssl base64)
DATE=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
SIGN=$(printf 'POST\\n%s\\n%s\\n%s\\n%s' "$CONTENT_MD5" "$CONTENT_TYPE" "$DATE" "$API_PATH" |
  openssl dgst -sha1 -hmac "\${KEY_SECRET:?}" -binary | openssl base64)

curl -sS ${shell(url)}"$API_PATH" \\
  -H "Content-MD5: $CONTENT_MD5" \\
  -H "Content-Type: $CONTENT_TYPE" \\
  -H "Date: $DATE" \\
  -H "Authorization: API \${KEY_ID:?}:$SIGN" \\
  --data-binary "$BODY"`,
    `import base64, hashlib, hmac, json, os, urllib.request
from email.utils import formatdate

path = ${pythonValue(path)}
body = json.dumps(${pythonValue(body)}).encode()
content_md5 = base64.b64encode(hashlib.md5(body).digest()).decode()
content_type = "${SIGNED_CONTENT_TYPE}"
date = formatdate(usegmt=True)
text = "\\n".join(["POST", content_md5, content_type, date, path])
digest = hmac.new(os.environ["KEY_SECRET"].encode(), text.encode(), hashlib.sha1).digest()
sign = base64.b64encode(digest).decode()

request = urllib.request.Request(${pythonValue(url)} + path, data=body, headers={
    "Content-MD5": content_md5,
    "Content-Type": content_type,
    "Date": date,
    "Authorization": f"API {os.environ['KEY_ID']}:{sign}",
})
with urllib.request.urlopen(request, timeout=10) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`,
    `import { createHash, createHmac } from 'node:crypto';
import { env } from 'node:process';

const path = ${typescriptValue(path)};
const body = JSON.stringify(${typescriptValue(body)});
const contentMd5 = createHash('md5').update(body).digest('base64');
const contentType = '${SIGNED_CONTENT_TYPE}';
const date = new Date().toUTCString();
const text = ['POST', contentMd5, contentType, date, path].join('\\n');
const sign = createHmac('sha1', env.KEY_SECRET!).update(text).digest('base64');

const response = await fetch(${typescriptValue(url)} + path, {
  method: 'POST',
  headers: {
    'Content-MD5': contentMd5,
    'Content-Type': contentType,
    Date: date,
    Authorization: \`API \${env.KEY_ID}:\${sign}\`,
  },
  body,
});
console.log(JSON.stringify(await response.json(), null, 2));`,
  );

/** Requests with a token; ACCESS_TOKEN comes from the environment. interface O67 */
export const bearerSamples: Samples = ({ url, path, body }) =>
  samples(
    `curl -sS ${shell(url + path)} \\
  -H "Authorization: Bearer \${ACCESS_TOKEN:?}" \\
  -H 'Content-Type: ${SIGNED_CONTENT_TYPE}' \\
  --data-binary ${shell(JSON.stringify(body))}`,
    `import json, os, urllib.request

request = urllib.request.Request(${pythonValue(url + path)}, data=json.dumps(${pythonValue(body)}).encode(), headers={
    "Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}",
    "Content-Type": "${SIGNED_CONTENT_TYPE}",
})
with urllib.request.urlopen(request, timeout=10) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`,
    `import { env } from 'node:process';

const response = await fetch(${typescriptValue(url + path)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${env.ACCESS_TOKEN}\`, 'Content-Type': '${SIGNED_CONTENT_TYPE}' },
  body: JSON.stringify(${typescriptValue(body)}),
});
console.log(JSON.stringify(await response.json(), null, 2));`,
  );

/** Requests of an application for itself; CLIENT_ID and CLIENT_SECRET come from the environment. */
export const clientSamples: Samples = ({ url, path, body }) =>
  samples(
    `curl -sS ${shell(url + path)} -u "\${CLIENT_ID:?}:\${CLIENT_SECRET:?}" \\
  -H 'Content-Type: ${SIGNED_CONTENT_TYPE}' \\
  --data-binary ${shell(JSON.stringify(body))}`,
    `import base64, json, os, urllib.request

client = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
request = urllib.request.Request(${pythonValue(url + path)}, data=json.dumps(${pythonValue(body)}).encode(), headers={
    "Authorization": "Basic " + base64.b64encode(client.encode()).decode(),
    "Content-Type": "${SIGNED_CONTENT_TYPE}",
})
with urllib.request.urlopen(request, timeout=30) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`,
    `import { env } from 'node:process';

const client = Buffer.from(\`\${env.CLIENT_ID}:\${env.CLIENT_SECRET}\`).toString('base64');
const response = await fetch(${typescriptValue(url + path)}, {
  method: 'POST',
  headers: { Authorization: \`Basic \${client}\`, 'Content-Type': '${SIGNED_CONTENT_TYPE}' },
  body: JSON.stringify(${typescriptValue(body)}),
});
console.log(JSON.stringify(await response.json(), null, 2));`,
  );

/** Makes a verifier and its challenge, and prints the address that an owner is sent to; CLIENT_ID comes from the environment. interface O1, O42 */
export const authorizeCommands = (
  url: string,
): string => `export CODE_VERIFIER=$(openssl rand -hex 32)
CODE_CHALLENGE=$(printf '%s' "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
echo ${shell(`${url}/oauth/authorize?response_type=code&redirect_uri=https%3A%2F%2Fplatform.example%2Fcallback`)}"&client_id=\${CLIENT_ID:?}&scope=access_data&state=RANDOM&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256"`;

/** The exchange of a code for tokens; CLIENT_ID, CLIENT_SECRET, CODE, REDIRECT_URI and CODE_VERIFIER come from the environment. interface O32. */
export const tokenSamples = (url: string): readonly Sample[] =>
  samples(
    `curl -sS ${shell(`${url}/oauth/token`)} -u "\${CLIENT_ID:?}:\${CLIENT_SECRET:?}" \\
  --data 'grant_type=authorization_code' \\
  --data-urlencode "code=\${CODE:?}" \\
  --data-urlencode "redirect_uri=\${REDIRECT_URI:?}" \\
  --data-urlencode "code_verifier=\${CODE_VERIFIER:?}"`,
    `import base64, json, os, urllib.parse, urllib.request

client = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
body = urllib.parse.urlencode({
    "grant_type": "authorization_code",
    "code": os.environ["CODE"],
    "redirect_uri": os.environ["REDIRECT_URI"],
    "code_verifier": os.environ["CODE_VERIFIER"],
}).encode()
request = urllib.request.Request(${pythonValue(`${url}/oauth/token`)}, data=body, headers={
    "Authorization": "Basic " + base64.b64encode(client.encode()).decode(),
    "Content-Type": "application/x-www-form-urlencoded",
})
with urllib.request.urlopen(request, timeout=10) as response:
    print(json.dumps(json.load(response), indent=2))`,
    `import { env } from 'node:process';

const response = await fetch(${typescriptValue(`${url}/oauth/token`)}, {
  method: 'POST',
  headers: { Authorization: 'Basic ' + Buffer.from(\`\${env.CLIENT_ID}:\${env.CLIENT_SECRET}\`).toString('base64') },
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    code: env.CODE!,
    redirect_uri: env.REDIRECT_URI!,
    code_verifier: env.CODE_VERIFIER!,
  }),
});
console.log(JSON.stringify(await response.json(), null, 2));`,
  );

/** Quotes text for a POSIX shell. */
const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Writes a JSON value in Python. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`)
    .join(', ')}}`;
}

/** Writes a JSON value in TypeScript. */
function typescriptValue(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map(typescriptValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) =>
      `${/^[a-zA-Z_]\w*$/.test(key) ? key : typescriptValue(key)}: ${typescriptValue(item)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
