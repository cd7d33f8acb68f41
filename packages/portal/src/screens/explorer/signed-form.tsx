import { diagnose } from '@helioport/sdk/diagnosis';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Card, Code, Soft } from '../../components/layout.tsx';
import { CheckIcon, CopyIcon } from '../../parts/icons.tsx';
import { signedRequest } from '../../parts/developer/signed-request.ts';
import { useCopy } from '../../parts/copying/use-copy.ts';
import { useSession } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { texts } from './texts/index.ts';

interface SignedFormProps {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const CONTENT_TYPE = 'application/json;charset=UTF-8';

/** The string that the service builds from a request, by the rules of its own. */
function stringToSign(path: string, body: string, now: number): string {
  const rawHeaders = ['Content-Type', CONTENT_TYPE, 'Date', new Date(now).toUTCString()];
  const request = {
    method: 'POST',
    target: path,
    rawHeaders,
    body: new TextEncoder().encode(body),
  };
  return diagnose({ request, keySecret: '', profile: 'compatible', now, isTimeKnown: false })
    .stringToSign;
}

/** The signed request that does the same as the form, and the text that it signs. No secret is asked for. */
export function SignedForm({ path, body }: SignedFormProps): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const [shownAt] = useState(serverNow);
  const text = JSON.stringify(body);
  const script = signedRequest({
    userApiUrl: session?.userApiUrl ?? '',
    keyId: 'KEY_ID',
    keySecret: 'KEY_SECRET',
    apiPath: path,
    body: text,
  });
  const { isCopied, copy } = useCopy(script);
  return (
    <Card aria-labelledby="signed">
      <h2 id="signed">{t.signed}</h2>
      <Soft>
        {t.signedLead} <Link to="/keys">{t.keys}</Link>
      </Soft>
      <h3>{t.script}</h3>
      <Code aria-label={t.script}>{script}</Code>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
      <h3>{t.stringToSign}</h3>
      <Soft>{t.stringLead}</Soft>
      <Code aria-label={t.stringToSign}>{stringToSign(path, text, shownAt)}</Code>
    </Card>
  );
}
