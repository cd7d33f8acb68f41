import { hasDoor, pathsOf, signedPath } from '@helioport/contract';
import { html, prose, table } from './html.ts';
import { allErrors, rateOf, type InterfaceOptions } from './interface.ts';
import { sampleList } from './operation-section.ts';
import { referencePage, type ReferencePage } from './page.ts';
import { requestOf, requestsNote, type RequestValues } from './requests.ts';
import { signedSamples } from './samples.ts';
import {
  answersTopic,
  commonLimits,
  errorsTopic,
  limitsTopic,
  unitsTopic,
  type Topic,
} from './topics.ts';
import { pre } from './program.ts';

export interface UserReferenceOptions extends InterfaceOptions {
  /** Requests per second, per key and operation; null = no limit. */
  readonly rateLimit: number | null;
  /** Address of the portal, if there is one beside the interface. */
  readonly portalUrl?: string | undefined;
  /** Refused signatures a minute per address and key; null = no limit. */
  readonly authFailureLimit: number | null;
}

/** The reference of the user-level interface. */
export const userReference = ({
  operations,
  url,
  version,
  requestValues,
  rateLimit,
  authFailureLimit,
  portalUrl,
}: UserReferenceOptions): ReferencePage =>
  referencePage({
    title: 'Helioport, user-level interface',
    url,
    version,
    operations: operations.filter((operation) => hasDoor(operation, 'signed')),
    topics: [
      signingTopic(url, requestValues, portalUrl),
      answersTopic,
      unitsTopic,
      limitsTopic([
        rateOf('key', rateLimit),
        {
          what: 'refused signatures per address and key',
          value: authFailureLimit === null ? 'none' : `${authFailureLimit} a minute`,
        },
        { what: 'difference between Date and the time of the server', value: '15 minutes' },
        ...commonLimits,
      ]),
      errorsTopic(allErrors.filter((name) => name !== 'scopeMissing')),
    ],
    offer: (operation) => {
      const { body, missing } = requestOf(operation, requestValues);
      return {
        paths: pathsOf(operation, 'signed'),
        missing,
        samples: signedSamples({ url, path: signedPath(operation), body }),
        ...(portalUrl !== undefined && {
          tryAt: `${portalUrl}/developer/explorer?operation=${encodeURIComponent(operation.id)}`,
        }),
      };
    },
  });

// interface S2 to S6
const signingTopic = (
  url: string,
  requestValues: RequestValues | undefined,
  portalUrl: string | undefined,
): Topic => ({
  id: 'signing',
  title: 'Signing a request',
  content: html`<p>
      Requests are signed with a key pair: a KeyID, which is sent, and a KeySecret, which never is.
      Four headers carry the signature:
    </p>
    ${table(
      ['Header', 'Value'],
      [
        [
          html`<code>Content-MD5</code>`,
          'base64 of the 16 bytes of the MD5 digest of the body, exactly as it is sent',
        ],
        [html`<code>Content-Type</code>`, html`<code>application/json;charset=UTF-8</code>`],
        [html`<code>Date</code>`, prose('the time in GMT, such as `Fri, 6 Nov 2026 05:01:09 GMT`')],
        [html`<code>Authorization</code>`, prose('`API <KeyID>:<sign>`')],
      ],
    )}
    <p>
      <code>sign</code> is the base64 of the HMAC-SHA1, keyed with the KeySecret, of five parts
      joined by line feeds: the word POST, the three other headers in this order, and the path.
      Every operation has two paths, under <code>/v1/api/</code> and under <code>/v2/api/</code>;
      the prefixes do not differ in meaning. Sign the path that you call.
    </p>
    ${pre('POST\nmZFLkyvTelC5g8XnyQrpOw==\napplication/json;charset=UTF-8\nFri, 6 Nov 2026 05:01:09 GMT\n/v1/api/userStationList')}
    <p>
      The guide <a href="reference/guides/signing">Signing a request</a> has whole programs and
      vectors.
      ${
        portalUrl !== undefined &&
        html`If a request is refused, the
          <a href="${portalUrl}/debugger">debugger of signatures</a> finds the mistake, in your
          browser and without an account.`
      }
    </p>
    ${requestsNote(requestValues, 'your key pair')}
    ${pre("export KEY_ID='...' KEY_SECRET='...'", 'sh')}
    <h4>First request</h4>
    ${sampleList(signedSamples({ url, path: '/v1/api/userStationList', body: { pageNo: 1, pageSize: 20 } }))}`,
});
