import type { ExplorerOperation } from '@helioport/contract';
import { Alert, Button } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Cards, Code, Page, Soft } from '../../components/layout.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CodeText } from '../../parts/developer/code-text.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Answer } from './answer.tsx';
import { FormField } from './form-field.tsx';
import { useOwnThings } from './own-things.ts';
import { bodyOf, requestFieldsOf, isRequired, type Typed } from './request-body.ts';
import { SignedForm } from './signed-form.tsx';
import { texts } from './texts/index.ts';
import { useSending } from './use-sending.ts';

/** An operation with a field for each of its parameters, its answer, and the signed request that does the same. */
export function OperationForm({ operation }: { readonly operation: ExplorerOperation }): ReactNode {
  const t = texts.useTexts();
  const fields = requestFieldsOf(operation);
  const offered = useOwnThings(
    operation,
    fields.map(([name]) => name),
  );
  const sending = useSending(operation);
  const [typed, setTyped] = useState<Typed>({});
  const [isWarned, setWarned] = useState(false);
  const body = bodyOf(operation, typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (operation.write) setWarned(true);
    else sending.mutate(body);
  };
  const carryOut = (): void => {
    setWarned(false);
    sending.mutate(body);
  };
  return (
    <Cards wide>
      <Card component="form" onSubmit={submit}>
        <div>
          <code>{operation.path}</code> {operation.write && <Badge kind="warn">{t.writes}</Badge>}
        </div>
        <Soft>
          <CodeText text={`${operation.summary} ${operation.description ?? ''}`} />
        </Soft>
        {fields.map(([name, schema]) => (
          <FormField
            key={name}
            name={name}
            schema={schema}
            required={isRequired(operation, name)}
            value={typed[name] ?? ''}
            offered={offered(name)}
            onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        ))}
        {sending.error && (
          <Alert color="red" role="alert">
            {t.unreachable}
          </Alert>
        )}
        <Button type="submit" loading={sending.isPending}>
          {t.send}
        </Button>
      </Card>
      <Page>
        {sending.data && <Answer answered={sending.data} />}
        <SignedForm path={operation.path} body={body} />
      </Page>
      <ConfirmDialog
        opened={isWarned}
        title={t.warnTitle}
        action={t.warnSend}
        dangerous
        onConfirm={carryOut}
        onClose={() => setWarned(false)}
      >
        <p>{t.warnLead}</p>
        <p>
          <CodeText text={operation.summary} />
        </p>
        <Code>{JSON.stringify(body, null, 2)}</Code>
      </ConfirmDialog>
    </Cards>
  );
}
