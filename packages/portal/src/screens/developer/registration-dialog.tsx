import { Alert, Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Choices, Form } from '../../components/layout.tsx';
import { Dialog } from '../../focus/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import type { ShownApplication } from './application-state.tsx';
import { texts } from './texts/index.ts';

interface RegistrationDialogProps {
  /** The application that is submitted again; undefined = another one. */
  readonly amended?: ShownApplication;
  readonly onClose: () => void;
}

const SCOPES = ['access_data', 'control_device'] as const;

/** Says what an application is, and submits it to the operator. */
export function RegistrationDialog({ amended, onClose }: RegistrationDialogProps): ReactNode {
  const t = texts.useTexts();
  const apply = useChange('developer/apply');
  const amend = useChange('developer/amend');
  const { error, isPending } = amended ? amend : apply;
  const [name, setName] = useState(amended?.name ?? '');
  const [purpose, setPurpose] = useState(amended?.purpose ?? '');
  const [homePage, setHomePage] = useState(amended?.homePage ?? '');
  const [redirectUri, setRedirectUri] = useState(amended?.redirectUri ?? '');
  const [scopes, setScopes] = useState<readonly string[]>(amended?.scopes ?? ['access_data']);
  const [isChallengeRequired, setChallengeRequired] = useState(amended?.requirePkce ?? false);
  const [warnings, setWarnings] = useState<readonly string[]>();

  const done = ({ warnings: found = [] }: { readonly warnings?: readonly string[] }): void => {
    toast.show(t.form.submitted);
    if (found.length > 0) setWarnings(found);
    else onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const stated = {
      purpose,
      redirectUri,
      scopes,
      challengeRequired: isChallengeRequired ? 1 : 0,
      ...(homePage.trim() !== '' && { homePage }),
    };
    if (amended) amend.mutate({ clientId: amended.clientId!, ...stated }, { onSuccess: done });
    else apply.mutate({ name: name.trim(), ...stated }, { onSuccess: done });
  };
  const { field: refused, expected = '' } = (error instanceof CallFailure ? error.data : {}) as {
    readonly field?: string;
    readonly expected?: string;
  };
  const faultOf = (field: string): { error?: string } =>
    refused === field ? { error: t.form.refused(expected) } : {};
  const isBesideField =
    refused !== undefined && ['name', 'purpose', 'homePage', 'redirectUri'].includes(refused);
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={amended ? t.amend : t.apply}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {warnings ? (
        <Form component="div">
          <Notice kind="warn" title={t.form.warnings}>
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </Notice>
          <Actions end>
            <Button onClick={onClose}>{t.close}</Button>
          </Actions>
        </Form>
      ) : (
        <Form onSubmit={submit}>
          {!amended && (
            <TextInput
              label={t.form.name}
              description={t.form.nameLead}
              value={name}
              maxLength={80}
              required
              withAsterisk={false}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
              {...faultOf('name')}
            />
          )}
          <Textarea
            label={t.form.purpose}
            description={t.form.purposeLead}
            rows={3}
            value={purpose}
            maxLength={1000}
            required
            withAsterisk={false}
            onChange={(event) => setPurpose(event.currentTarget.value.replaceAll('\n', ' '))}
            {...faultOf('purpose')}
          />
          <TextInput
            label={t.form.homePage}
            placeholder="https://yield.example"
            value={homePage}
            maxLength={2000}
            onChange={(event) => setHomePage(event.currentTarget.value)}
            {...faultOf('homePage')}
          />
          <TextInput
            label={t.form.redirectUri}
            description={t.form.redirectUriLead}
            placeholder="https://yield.example/callback"
            value={redirectUri}
            maxLength={2000}
            required
            withAsterisk={false}
            onChange={(event) => setRedirectUri(event.currentTarget.value)}
            {...faultOf('redirectUri')}
          />
          <Choices>
            <legend>{t.form.scopes}</legend>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                label={t.scopes[scope]}
                checked={scopes.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  setScopes(
                    SCOPES.filter((one) => (one === scope ? checked : scopes.includes(one))),
                  )
                }
              />
            ))}
          </Choices>
          <Checkbox
            label={t.form.challenge}
            description={t.form.challengeLead}
            checked={isChallengeRequired}
            onChange={({ currentTarget: { checked } }) => setChallengeRequired(checked)}
          />
          {error && !isBesideField && (
            <Alert color="red" role="alert">
              {t.form.failed} {error.message}
            </Alert>
          )}
          <Actions end>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={scopes.length === 0}>
              {t.form.submit}
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
