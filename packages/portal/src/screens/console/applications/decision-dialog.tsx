import { Checkbox, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Form } from '../../../components/layout.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useConsoleChange } from '../../../wire/console.ts';
import { CallFailure } from '../../../wire/failure.ts';
import { texts } from '../texts/index.ts';
import type { Application, Decision } from './application.ts';

interface DecisionDialogProps {
  readonly application: Application;
  readonly decision: Decision;
  readonly onClose: () => void;
}

const NONE: NonNullable<Application['scopes']> = [];

/** Decides upon an application, as it was read: if its developer has changed it meanwhile, nothing is decided. */
export function DecisionDialog({
  application: { clientId = '', name = '', scopes: asked = NONE, submittedAt },
  decision,
  onClose,
}: DecisionDialogProps): ReactNode {
  const all = texts.useTexts();
  const t = all.applications;
  const [scopes, setScopes] = useState(asked);
  const [reason, setReason] = useState('');
  const approve = useConsoleChange('application/approve');
  const reject = useConsoleChange('application/reject');
  const disable = useConsoleChange('application/disable');
  const enable = useConsoleChange('application/enable');
  const callbacks = {
    onSuccess: () => toast.show(t.decided[decision](name)),
    onError: (fault: Error) =>
      toast.fault(
        fault instanceof CallFailure && fault.is('changedMeanwhile')
          ? t.changed
          : all.failed(fault.message),
      ),
    onSettled: onClose,
  };
  const decide = (): void => {
    if (decision === 'approve')
      approve.mutate({ application: clientId, scopes, submittedAt }, callbacks);
    else if (decision === 'reject')
      reject.mutate(
        { application: clientId, reason: reason.trim() || undefined, submittedAt },
        callbacks,
      );
    else (decision === 'disable' ? disable : enable).mutate({ application: clientId }, callbacks);
  };
  return (
    <ConfirmDialog
      opened
      title={`${t[decision]}: ${name}`}
      action={t[decision]}
      dangerous={decision === 'disable' || decision === 'reject'}
      busy={approve.isPending || reject.isPending || disable.isPending || enable.isPending}
      onConfirm={decide}
      onClose={onClose}
    >
      <Form component="div">
        {decision === 'approve' && (
          <>
            <p>{t.approveLead}</p>
            {asked.map((scope) => (
              <Checkbox
                key={scope}
                label={t.scopes[scope]}
                checked={scopes.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  setScopes(asked.filter((one) => (one === scope ? checked : scopes.includes(one))))
                }
              />
            ))}
          </>
        )}
        {decision === 'reject' && (
          <Textarea
            label={t.reason}
            value={reason}
            onChange={({ currentTarget: { value } }) => setReason(value)}
            maxLength={500}
            autosize
            minRows={3}
          />
        )}
        {decision === 'disable' && <p>{t.disableLead}</p>}
      </Form>
    </ConfirmDialog>
  );
}
